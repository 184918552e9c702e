import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/db.ts'
import { preferenceStateOf } from '../preferences/preferences.ts'

/** How long the sessions of a user may lie unused (ms): his choice, or his organization's. */
export async function idleLimitOf(db: Reader, userId: string): Promise<number> {
  const { preferences, policy } = await preferenceStateOf(db, userId)
  return preferences.sessionTimeout || policy.sessionTimeout ? limits.sessionIdle : limits.sessionIdleLong
}

/** Ends sessions nobody used for too long, with their sockets. */
export async function endIdleSessions(core: Core): Promise<void> {
  await core.sessions.saveUse()
  await core.db.write(async (tx) => {
    const idle = await tx.all<{ id: string; user_id: string }>(
      'select id, user_id from sessions where last_used_at + idle_limit <= ? limit 200',
      [core.clock.now()],
    )
    for (const { id, user_id } of idle) await core.sessions.end(tx, user_id, { id })
  })
}

/** Gives the sessions a user has the limit that holds for him now; those that lay unused for longer end. */
export async function followIdleLimit(tx: Tx, core: Core, userId: string): Promise<void> {
  await core.sessions.setIdleLimit(tx, userId, await idleLimitOf(tx, userId))
  tx.afterCommit(() => {
    endIdleSessions(core).catch((error: unknown) => core.log.error({ err: error }, 'idle sessions'))
  })
}
