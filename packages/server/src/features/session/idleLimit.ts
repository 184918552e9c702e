import { limits } from '@privity/contract/limits'
import { inBatches, type Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { policyOf, preferencesOf, selectWithoutTimeout } from '../preferences/preferences.ts'
import { deleteOldFailures } from './locks.ts'

/** Maximum idle time (ms) of a user's sessions, by their own preference or their organization's policy. */
export async function idleLimitOf(db: Reader, userId: string): Promise<number> {
  const [preferences, policy] = [await preferencesOf(db, userId), await policyOf(db, userId)]
  return preferences.sessionTimeout || policy.sessionTimeout ? limits.sessionIdle : limits.sessionIdleLong
}

/** Interval at which each process saves when its sessions were used. */
const saveUseIntervalMs = 60_000

/** Batch size; other requests are served between two batches. */
const batchSize = 200

/**
 * Sets dates in the future to now: they were written while the clock was ahead, and such a session would outlast its
 * limits, and count as confirmed once that time comes. No session was created or confirmed after its last use, so the
 * date of use finds them. Clocks of processes may differ a little (`limits.clockTolerance`).
 */
function correctDates({ db, bus, clock }: Core, stopping: Stopping): Promise<void> {
  const sql = `update sessions set last_used_at = ?, created_at = case when created_at > ? then ? else created_at end,
      confirmed_at = case when confirmed_at > ? then null else confirmed_at end
    where id in (select id from sessions where last_used_at > ? limit ?) returning id`
  const correctBatch = async (tx: Tx) => {
    const now = clock.now()
    const latest = now + limits.clockTolerance
    const rows = await tx.all<{ id: string }>(sql, [now, now, now, latest, latest, batchSize])
    const sessionIds = rows.map(({ id }) => id)
    if (sessionIds.length > 0) tx.afterCommit(() => bus.publish('sessionsRedated', { sessionIds }))
    return sessionIds.length
  }
  return inBatches(batchSize, () => db.write(correctBatch), stopping)
}

/**
 * Ends sessions that are idle for too long or past their lifetime, with their sockets. If there are other processes,
 * idle sessions end only after those must have saved the uses they know of. Until then no call passes: each checks the
 * limit itself.
 */
export async function endIdleSessions(core: Core, stopping: Stopping = () => false): Promise<void> {
  // Read before saving: a use after this moment may not be saved yet.
  const now = core.clock.now() - (core.processes.otherIds().size > 0 ? 2 * saveUseIntervalMs : 0)
  await core.sessions.saveUse()
  await correctDates(core, stopping)
  const endBatch = async (tx: Tx) => {
    const idle = await tx.all<{ id: string; user_id: string }>(
      'select id, user_id from sessions where last_used_at + idle_limit <= ? or created_at + life_limit <= ? limit ?',
      [now, core.clock.now(), batchSize],
    )
    for (const { id, user_id } of idle) await core.sessions.end(tx, user_id, { id })
    return idle.length
  }
  await inBatches(batchSize, () => core.db.write(endBatch), stopping)
}

async function setIdleLimit(tx: Tx, core: Core, userIds: readonly string[], idleLimit: number): Promise<void> {
  await core.sessions.setIdleLimit(tx, userIds, idleLimit)
  tx.afterCommit(() => core.background.run('idle sessions', () => endIdleSessions(core)))
}

/** Applies the current idle limit to a user's sessions; those idle for longer end. */
export async function applyIdleLimit(tx: Tx, core: Core, userId: string): Promise<void> {
  await setIdleLimit(tx, core, [userId], await idleLimitOf(tx, userId))
}

/**
 * Like applyIdleLimit, for all members of an organization who have switched the timeout off: their limit follows the
 * policy.
 */
export async function applyPolicyIdleLimit(
  tx: Tx,
  core: Core,
  organizationId: string,
  isEnforced: boolean,
): Promise<void> {
  const userIds = await selectWithoutTimeout(tx, organizationId)
  await setIdleLimit(tx, core, userIds, isEnforced ? limits.sessionIdle : limits.sessionIdleLong)
}

export const sessionJobs: Job[] = [
  {
    name: 'keep the times of use',
    every: saveUseIntervalMs,
    inEveryProcess: true,
    run: ({ sessions }) => sessions.saveUse(),
  },
  { name: 'end idle sessions', every: 60_000, run: endIdleSessions },
  { name: 'forget failed sign-ins', every: 60 * 60_000, run: deleteOldFailures },
]
