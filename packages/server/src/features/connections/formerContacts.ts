import type { BlockedPerson, FormerContact } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { FormerContactRow } from '../../core/database/tables/connections.ts'
import { insertBlock } from './blockQueries.ts'
import { putFormer, selectFormer, takeFormer } from './formerContactQueries.ts'
import { selectParty } from './queries.ts'

export async function listFormer({ db, clock }: Core, userId: string): Promise<FormerContact[]> {
  const rows = await selectFormer(db.read, userId, clock.now())
  return rows.map((row) => ({
    id: row.contact_id,
    firstName: row.first_name,
    lastName: row.last_name,
    endedAt: row.ended_at,
  }))
}

/**
 * Keeps both participants as former contacts for a day, in which each can still block the other. Both are kept, no
 * matter who ended the connection or how: the list of a blocked person looks like that of a removed one.
 */
export async function keepFormer(tx: Tx, { clock }: Core, one: string, other: string): Promise<void> {
  const now = clock.now()
  for (const [userId, contactId] of [[one, other] as const, [other, one] as const]) {
    const party = await selectParty(tx, contactId)
    if (party === undefined) continue
    await putFormer(tx, {
      user_id: userId,
      contact_id: contactId,
      first_name: party.first_name,
      last_name: party.last_name,
      ended_at: now,
      expires_at: now + limits.formerContactKept,
    })
  }
}

/**
 * Removes a person from the list. The audit entry names nobody and is the same for a block: the administrator who reads
 * it may be the blocked person.
 */
async function settle(core: Core, tx: Tx, caller: Caller, contactId: string): Promise<FormerContactRow> {
  const now = core.clock.now()
  const row = await takeFormer(tx, caller.userId, contactId, now)
  if (row === undefined) throw new AppError('FORMER_CONTACT_NOT_FOUND')
  await audit(tx, { action: 'former_contact_settled', actorId: caller.userId, address: caller.address, at: now })
  tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'blocks_changed' }))
  tx.afterCommit(core.db.emptyLogSoon)
  return row
}

export function blockFormer(core: Core, caller: Caller, contactId: string): Promise<BlockedPerson> {
  return core.db.write(async (tx) => {
    const { first_name: firstName, last_name: lastName } = await settle(core, tx, caller, contactId)
    const blockedAt = core.clock.now()
    await insertBlock(tx, {
      blocker_id: caller.userId,
      blocked_id: contactId,
      first_name: firstName,
      last_name: lastName,
      blocked_at: blockedAt,
    })
    return { id: contactId, firstName, lastName, blockedAt }
  })
}

export const forgetFormer = (core: Core, caller: Caller, contactId: string): Promise<void> =>
  core.db.write(async (tx) => void (await settle(core, tx, caller, contactId)))
