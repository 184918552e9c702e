import type { BlockedPerson } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { deleteBlock, insertBlock, selectBlocks } from './blockQueries.ts'
import { destroyEnded, endConnection } from './connections.ts'
import { takeFormer } from './formerContactQueries.ts'
import { selectParty } from './queries.ts'

export async function listBlocked({ db }: Core, userId: string): Promise<BlockedPerson[]> {
  const rows = await selectBlocks(db.read, userId)
  return rows.map((row) => ({
    id: row.blocked_id,
    firstName: row.first_name,
    lastName: row.last_name,
    blockedAt: row.blocked_at,
  }))
}

/**
 * Ends the connection and refuses a new one with this contact. To the contact and in the audit log it is a removal like
 * any other; only the caller's own list shows the block.
 */
export async function blockPerson(core: Core, caller: Caller, connectionId: string): Promise<BlockedPerson> {
  const blocked = await core.db.write(async (tx) => {
    const { otherId } = await endConnection(core, tx, caller, connectionId)
    await takeFormer(tx, caller.userId, otherId, core.clock.now())
    const party = await selectParty(tx, otherId)
    if (party === undefined) throw new AppError('CONNECTION_NOT_FOUND')
    const { first_name: firstName, last_name: lastName } = party
    const blockedAt = core.clock.now()
    await insertBlock(tx, {
      blocker_id: caller.userId,
      blocked_id: otherId,
      first_name: firstName,
      last_name: lastName,
      blocked_at: blockedAt,
    })
    tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'blocks_changed' }))
    return { id: otherId, firstName, lastName, blockedAt }
  })
  await destroyEnded(core, connectionId)
  return blocked
}

/** The audit entry does not name the person, so readers of the log do not learn who was blocked. */
export async function unblockPerson(core: Core, caller: Caller, personId: string): Promise<void> {
  await core.db.write(async (tx) => {
    const { changes } = await deleteBlock(tx, caller.userId, personId)
    if (changes === 0) throw new AppError('BLOCK_NOT_FOUND')
    await audit(tx, {
      action: 'block_lifted',
      actorId: caller.userId,
      address: caller.address,
      at: core.clock.now(),
    })
    tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'blocks_changed' }))
  })
}
