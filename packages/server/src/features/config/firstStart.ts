import type { Core } from '../../core/core.ts'
import { isFull } from '../../core/database/errors.ts'
import type { Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import { findDefaultOrganization } from '../organization/organization.ts'
import { addFirstInvitation } from '../organization/newOrganization.ts'
import { vapidKeyOf } from '../push/vapidKey.ts'
import { type DeriveFounderSecret, prepareFounder } from '../founder/session/verifier.ts'

export interface FirstStart {
  /** The founder's password if this start generated it; stored only as a hash. */
  founderPassword: string | undefined
  /** A single-use invitation for the first administrator; none on loopback, where no stranger can sign up first. */
  invitation: string | undefined
}

async function prepareOrganization(tx: Tx, { config, clock }: Core): Promise<string> {
  const first = await findDefaultOrganization(tx)
  if (first !== undefined) return first.id
  const id = newId(clock.now())
  await tx.run('insert into organizations (id, name, type, created_at) values (?, ?, ?, ?)', [
    id,
    config.organization.name,
    config.organization.type,
    clock.now(),
  ])
  return id
}

const open = 'created_by is null and used_at is null and revoked_at is null and expires_at > ?'

/** Whether an invitation is open that another process, running or starting, has created and printed. */
const isPrintedElsewhere = async (tx: Tx, process: string | undefined, now: number): Promise<boolean> =>
  process !== undefined &&
  (await tx.get(`select 1 from invitations where ${open} and exists (select 1 from processes where id <> ?)`, [
    now,
    process,
  ])) !== undefined

/**
 * Creates a new invitation at each start until one is used. If it is lost, restart the server or use the command line.
 */
async function prepareInvitation(
  tx: Tx,
  { config, clock, processes }: Core,
  organizationId: string,
): Promise<string | undefined> {
  if (config.loopback) return undefined
  const first = await tx.get("select 1 from users where role = 'super_admin' limit 1")
  const now = clock.now()
  if (first !== undefined || (await isPrintedElsewhere(tx, processes.id, now))) return undefined
  return (await addFirstInvitation(tx, { actorId: null, organizationId, now })).token
}

/** An earlier invitation stays valid where a full disk keeps no new one: then the server starts all the same. */
async function inviteUnlessFull(core: Core, organizationId: string): Promise<string | undefined> {
  try {
    return await core.db.write((tx) => prepareInvitation(tx, core, organizationId))
  } catch (error) {
    if (!isFull(error)) throw error
    core.log.warn('no invitation for the first administrator was made: the database has no space left')
    return undefined
  }
}

/** Creates what a deployment needs before the first sign-up: its organization, the founder, a first invitation. */
export async function prepareDeployment(core: Core, derive: DeriveFounderSecret): Promise<FirstStart> {
  const founderPassword = await prepareFounder(core, derive)
  await vapidKeyOf(core)
  const organization = await findDefaultOrganization(core.db.read)
  const organizationId = organization?.id ?? (await core.db.write((tx) => prepareOrganization(tx, core)))
  return { founderPassword, invitation: await inviteUnlessFull(core, organizationId) }
}
