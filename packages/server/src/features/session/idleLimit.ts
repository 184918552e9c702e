import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { policyOf, preferencesOf, selectWithoutTimeout } from '../preferences/preferences.ts'

/** How long the sessions of a user may lie unused (ms): his choice, or his organization's. */
export async function idleLimitOf(db: Reader, userId: string): Promise<number> {
  const [preferences, policy] = [await preferencesOf(db, userId), await policyOf(db, userId)]
  return preferences.sessionTimeout || policy.sessionTimeout ? limits.sessionIdle : limits.sessionIdleLong
}

/** How often each process writes down when its sessions were used (ms). */
export const useSaved = 60_000

/** Others are served between two of these. */
const atOnce = 200

/**
 * Ends sessions nobody used for too long, and those past their life, with their sockets. Where there are other processes, once they must have
 * written down the uses that they know of: no call passes meanwhile, because each looks at the limit itself.
 */
export async function endIdleSessions(core: Core, stopping: () => boolean = () => false): Promise<void> {
  // Taken first: what is used from here on is not among what is saved next.
  const now = core.clock.now() - (core.processes.others().size > 0 ? 2 * useSaved : 0)
  await core.sessions.saveUse()
  let ended = atOnce
  while (ended === atOnce && !stopping()) {
    ended = await core.db.write(async (tx) => {
      const idle = await tx.all<{ id: string; user_id: string }>(
        'select id, user_id from sessions where last_used_at + idle_limit <= ? or created_at + life_limit <= ? limit ?',
        [now, core.clock.now(), atOnce],
      )
      for (const { id, user_id } of idle) await core.sessions.end(tx, user_id, { id })
      return idle.length
    })
  }
}

async function setIdleLimit(tx: Tx, core: Core, userIds: readonly string[], idleLimit: number): Promise<void> {
  await core.sessions.setIdleLimit(tx, userIds, idleLimit)
  tx.afterCommit(() => core.background.run('idle sessions', () => endIdleSessions(core)))
}

/** Gives the sessions a user has the limit that holds for him now; those that lay unused for longer end. */
export async function followIdleLimit(tx: Tx, core: Core, userId: string): Promise<void> {
  await setIdleLimit(tx, core, [userId], await idleLimitOf(tx, userId))
}

/** The same for all of an organization whose own choice is not what it asks, or asked, of them. */
export async function followPolicyIdleLimit(
  tx: Tx,
  core: Core,
  organizationId: string,
  isEnforced: boolean,
): Promise<void> {
  const userIds = await selectWithoutTimeout(tx, organizationId)
  await setIdleLimit(tx, core, userIds, isEnforced ? limits.sessionIdle : limits.sessionIdleLong)
}
