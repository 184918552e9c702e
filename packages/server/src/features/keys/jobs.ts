import { limits } from '@privity/contract/limits'
import type { Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import { steadyEnough } from '../../core/steadyTime.ts'
import { destroyInBatches } from '../../core/jobs/rowDeletion.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import type { Tx } from '../../core/database/types.ts'
import { endOfUse } from './epochUse.ts'

const batchSize = 100

const isNewest = 'n = (select max(each.n) from epochs each where each.user_id = epochs.user_id)'

/** Destroys the seeds of `batchSize` epochs at most. The newest of an account that is away stays, without its seed. */
async function destroyBatch(tx: Tx, now: number): Promise<{ changes: number }> {
  const endedBefore = now - limits.retention
  const due = await tx.all<{ user_id: string; n: number }>(
    `select user_id, n from epochs where is_destroyed = 0 and used_until <= ? and ${endOfUse} <= ? limit ${batchSize}`,
    [endedBefore, now, endedBefore],
  )
  for (const { user_id: userId, n } of due) {
    const { changes } = await tx.run(
      `update epochs set is_destroyed = 1, wrapped_seed = null, wrapped_former_key = null
       where user_id = ? and n = ? and ${isNewest}`,
      [userId, n],
    )
    if (changes > 0) await tx.run('delete from sealed_seeds where user_id = ? and n = ?', [userId, n])
    else await tx.run('delete from epochs where user_id = ? and n = ?', [userId, n])
  }
  return { changes: due.length }
}

/**
 * Ends the use of epochs that a clock was ahead for: dated in the future, and further ahead than any may be published.
 * Browsers replace these by one of now. Messages that were sealed to them live for 24 hours at most from here on.
 */
const endAhead = (tx: Tx, now: number) => {
  const latest = now + limits.clockTolerance
  return tx.run('update epochs set used_until = ? where is_destroyed = 0 and used_until > ? and created_at > ?', [
    now,
    latest + limits.epochsAhead * limits.epochDuration,
    latest,
  ])
}

/**
 * Destroys the seeds of epochs 24 hours after they have ended, whoever is there: no live message can need them. From
 * then on no password and no surviving key opens what was encrypted to them.
 */
async function destroyEndedEpochs({ db, clock, steadyTime }: Core, stopping: Stopping): Promise<void> {
  if (steadyTime() >= steadyEnough) await db.write((tx) => endAhead(tx, clock.now()))
  const now = clock.now()
  await destroyInBatches(db, batchSize, (tx) => destroyBatch(tx, now), stopping)
  if (db.holdsDeleted()) await db.purgeDeletedRows()
}

export const keyJobs: Job[] = [{ name: 'destroy dead epochs', every: 30_000, run: destroyEndedEpochs }]
