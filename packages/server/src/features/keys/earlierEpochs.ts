import type { EpochKey } from '@privity/contract/keys'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { deleteUnusedAhead, deleteWithoutSeed, shortenEarlier } from './queries.ts'

/**
 * Ends the use of a user's earlier epochs when `next` begins, after its insertion. Normally they have ended by then.
 * Where a new identity or a corrected clock begins anew, those that lie ahead are deleted: nobody may seal to them any
 * more. One that messages or grants were sealed to while the clock was ahead stays for as long as these are kept.
 */
export async function endEarlierEpochs(tx: Tx, core: Core, { userId, n, startsAt }: EpochKey): Promise<void> {
  const { changes } = await shortenEarlier(tx, userId, n, startsAt)
  const deleted = changes > 0 ? await deleteUnusedAhead(tx, userId, n, startsAt) : undefined
  if (deleted && deleted.changes > 0) tx.afterCommit(core.db.emptyLogSoon)
  // An epoch without its seed was kept only for the next one to follow it.
  await deleteWithoutSeed(tx, userId, n)
}
