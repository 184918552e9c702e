import type { BlockedPerson, FormerContact } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { FormerContactRow } from '../../core/database/tables/connections.ts'
import { addBlock } from './blocks.ts'
import { deleteFormerContact, selectFormerContacts, selectParticipant, upsertFormerContact } from './queries.ts'

export async function listFormerContacts({ db, clock }: Core, userId: string): Promise<FormerContact[]> {
  const rows = await selectFormerContacts(db.read, userId, clock.now())
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
export async function addFormerContacts(tx: Tx, { clock }: Core, one: string, other: string): Promise<void> {
  const now = clock.now()
  for (const [userId, contactId] of [[one, other] as const, [other, one] as const]) {
    const contact = await selectParticipant(tx, contactId)
    if (contact === undefined) continue
    await upsertFormerContact(tx, {
      user_id: userId,
      contact_id: contactId,
      first_name: contact.first_name,
      last_name: contact.last_name,
      ended_at: now,
      expires_at: now + limits.formerContactKept,
    })
  }
}

/**
 * Removes a person from the list. The audit entry names nobody and is the same for a block: the administrator who reads
 * it may be the blocked person.
 */
async function takeFormerContact(core: Core, tx: Tx, caller: Caller, contactId: string): Promise<FormerContactRow> {
  const now = core.clock.now()
  const row = await deleteFormerContact(tx, caller.userId, contactId, now)
  if (row === undefined) throw new AppError('FORMER_CONTACT_NOT_FOUND')
  await auditCall(tx, caller, { action: 'former_contact_settled', at: now })
  tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'blocks_changed' }))
  tx.afterCommit(core.db.emptyLogSoon)
  return row
}

export function blockFormerContact(core: Core, caller: Caller, contactId: string): Promise<BlockedPerson> {
  return core.db.write(async (tx) => {
    const formerContact = await takeFormerContact(core, tx, caller, contactId)
    return addBlock(tx, core, caller.userId, contactId, formerContact)
  })
}

export const removeFormerContact = (core: Core, caller: Caller, contactId: string): Promise<void> =>
  core.db.write(async (tx) => void (await takeFormerContact(core, tx, caller, contactId)))
