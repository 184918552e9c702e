import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import { defaultOrganization } from '../organization/defaultOrganization.ts'
import { makeFirstInvitation } from '../organization/newOrganization.ts'
import { type DeriveFounderSecret, prepareFounder } from '../founder/session/verifier.ts'

export interface FirstStart {
  /** The founder's password, when it was generated at this start; kept only as a hash. */
  founderPassword: string | undefined
  /** A single-use invitation for the first administrator, where anyone on the network could come first. */
  invitation: string | undefined
}

async function prepareOrganization(tx: Tx, { config, clock }: Core): Promise<string> {
  const first = await defaultOrganization(tx)
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

/** One that another process, which runs or starts beside this one, has made and told. */
const isToldElsewhere = async (tx: Tx, process: string | undefined, now: number): Promise<boolean> =>
  process !== undefined &&
  (await tx.get(`select 1 from invitations where ${open} and exists (select 1 from processes where id <> ?)`, [
    now,
    process,
  ])) !== undefined

/** A new one at each start until it is used; whoever lost it starts the server again or uses the command line. */
async function prepareInvitation(
  tx: Tx,
  { config, clock, processes }: Core,
  organizationId: string,
): Promise<string | undefined> {
  if (config.loopback) return undefined
  const first = await tx.get("select 1 from users where role = 'super_admin' limit 1")
  const now = clock.now()
  if (first !== undefined || (await isToldElsewhere(tx, processes.id, now))) return undefined
  return (await makeFirstInvitation(tx, { actorId: null, organizationId, now })).token
}

/** Makes what a deployment needs before anyone signs up: its organization, the founder, a first invitation. */
export async function prepareDeployment(core: Core, derive: DeriveFounderSecret): Promise<FirstStart> {
  const founderPassword = await prepareFounder(core, derive)
  const invitation = await core.db.write(async (tx) => prepareInvitation(tx, core, await prepareOrganization(tx, core)))
  return { founderPassword, invitation }
}
