import type { BlockedPerson } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { BlockRow } from '../../core/database/tables/connections.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { endRequestsOnBlock } from './directory/endRequests.ts'
import { deleteBlock, insertBlock, selectBlocks } from './queries.ts'

export async function listBlocked({ db }: Core, userId: string): Promise<BlockedPerson[]> {
  const rows = await selectBlocks(db.read, userId)
  return rows.map((row) => ({
    id: row.blocked_id,
    firstName: row.first_name,
    lastName: row.last_name,
    blockedAt: row.blocked_at,
  }))
}

/** Adds a person to the caller's own list of blocked people. */
export async function addBlock(
  tx: Tx,
  core: Core,
  userId: string,
  blockedId: string,
  { first_name: firstName, last_name: lastName }: Pick<BlockRow, 'first_name' | 'last_name'>,
): Promise<BlockedPerson> {
  const blockedAt = core.clock.now()
  await endRequestsOnBlock(tx, core, userId, blockedId)
  await insertBlock(tx, {
    blocker_id: userId,
    blocked_id: blockedId,
    first_name: firstName,
    last_name: lastName,
    blocked_at: blockedAt,
  })
  return { id: blockedId, firstName, lastName, blockedAt }
}

/** The audit entry does not name the person, so readers of the log do not learn who was blocked. */
export async function unblockPerson(core: Core, caller: Caller, personId: string): Promise<void> {
  await core.db.write(async (tx) => {
    const { changes } = await deleteBlock(tx, caller.userId, personId)
    if (changes === 0) throw new AppError('BLOCK_NOT_FOUND')
    await auditCall(tx, caller, { action: 'block_lifted', at: core.clock.now() })
    tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'blocks_changed' }))
  })
}
