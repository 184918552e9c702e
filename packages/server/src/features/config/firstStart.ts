import { randomBytes } from 'node:crypto'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
import { newId } from '../../core/ids.ts'
import { defaultOrganization } from '../organization/defaultOrganization.ts'
import { hashToken } from '../../core/sessions.ts'
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

const open = 'created_by is null and used_at is null and revoked_at is null'

/** One that another process, which runs or starts beside this one, has made and told. */
const isToldElsewhere = async (tx: Tx, process: string | undefined): Promise<boolean> =>
  process !== undefined &&
  (await tx.get(`select 1 from invitations where ${open} and exists (select 1 from processes where id <> ?)`, [
    process,
  ])) !== undefined

/** A new one at each start until it is used: who lost it starts the server again. */
async function prepareInvitation(
  tx: Tx,
  { config, clock, processes }: Core,
  organizationId: string,
): Promise<string | undefined> {
  if (config.loopback) return undefined
  const first = await tx.get('select 1 from users limit 1')
  if (first !== undefined || (await isToldElsewhere(tx, processes.id))) return undefined
  const now = clock.now()
  await tx.run('update invitations set revoked_at = ? where created_by is null and used_at is null', [now])
  const token = randomBytes(24).toString('base64url')
  await tx.run(
    "insert into invitations (id, token_hash, organization_id, role, created_at) values (?, ?, ?, 'super_admin', ?)",
    [newId(now), hashToken(token), organizationId, now],
  )
  return token
}

/** Makes what a deployment needs before anyone signs up: its organization, the founder, a first invitation. */
export async function prepareDeployment(core: Core, derive: DeriveFounderSecret): Promise<FirstStart> {
  const founderPassword = await prepareFounder(core, derive)
  const invitation = await core.db.write(async (tx) => prepareInvitation(tx, core, await prepareOrganization(tx, core)))
  return { founderPassword, invitation }
}
