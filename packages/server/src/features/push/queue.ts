import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import { splitIntoStatements } from '../../core/database/statements.ts'
import { policiesOf, preferencesOfEach } from '../preferences/preferences.ts'
import { cancelPushes, queuePush, selectPushed, selectQueueable } from './queries.ts'

/** The newest message for a user: when it was stored, and when it expires. */
interface Cause {
  at: number
  expiresAt: number
}

/** Queued together: many messages for one person cost one row. */
const collectMs = 1_000
/** By then each process has cancelled the pushes for pages that are visible there (`cancelWatched`). */
const minDelayMs = 3_000
const batchSize = 500

/**
 * A random moment of the next 20 seconds: a push service, or whoever reads along, cannot match a push to the message
 * that another person's browser has just sent.
 */
const randomDelay = () => Math.round(minDelayMs + Math.random() * (limits.pushDelay - minDelayMs))

/** Users of these who want push notifications of messages, and whose organization allows them. */
async function selectWilling({ db }: Core, userIds: readonly string[]): Promise<Set<string>> {
  const preferences = await preferencesOfEach(db.read, userIds)
  const policies = await policiesOf(db.read, userIds)
  return new Set(
    userIds.filter((userId) => {
      const { pushNotifications = false, messageNotifications = false } = preferences.get(userId) ?? {}
      return pushNotifications && messageNotifications && policies.get(userId)?.pushForbidden === false
    }),
  )
}

/** Queues a push in each browser of these users that has none waiting and was not pushed to within 15 minutes. */
async function queueFor(core: Core, causes: ReadonlyMap<string, Cause>): Promise<void> {
  const { clock, db } = core
  const rows = await selectQueueable(db.read, [...causes.keys()], clock.now())
  if (rows.length === 0) return
  const willing = await selectWilling(core, [...new Set(rows.map(({ user_id }) => user_id))])
  const queued = rows.filter(({ user_id }) => willing.has(user_id))
  await db.write(async (tx) => {
    for (const { session_id, user_id } of queued) {
      const { at, expiresAt } = causes.get(user_id) as Cause
      await queuePush(tx, session_id, { due_at: at + randomDelay(), caused_at: at, expires_at: expiresAt })
    }
  }, 'read committed')
}

/** Members who have opened the application have seen what there is: nothing waits, and the next message counts anew. */
async function settleFor({ db }: Core, userIds: readonly string[]): Promise<void> {
  const rows = await selectPushed(db.read, userIds)
  if (rows.length === 0) return
  await db.write(
    (tx) =>
      cancelPushes(
        tx,
        rows.map(({ session_id }) => session_id),
      ),
    'read committed',
  )
}

/**
 * Follows the messages and the pages of this process, and queues pushes in the background: sending a message waits for
 * none of it. A stop queues what it has collected.
 */
export function followMessages(core: Core): void {
  const { background, bus, clock, sockets } = core
  let causes = new Map<string, Cause>()
  let opened = new Set<string>()
  let isScheduled = false

  async function flush(): Promise<void> {
    const [collected, seen] = [causes, [...opened]]
    causes = new Map()
    opened = new Set()
    isScheduled = false
    // A page that is visible confirms a message as soon as it has it.
    for (const [userId, { at }] of collected) if (sockets.isWatching(userId, at)) collected.delete(userId)
    for (const batch of splitIntoStatements(seen, batchSize)) await settleFor(core, batch)
    for (const batch of splitIntoStatements([...collected], batchSize)) await queueFor(core, new Map(batch))
  }

  function flushSoon(): void {
    if (isScheduled) return
    isScheduled = true
    background.runAfter(collectMs, 'queueing pushes', flush)
  }

  if (core.config.pushHosts.length === 0) return
  bus.subscribe('messageStored', ({ recipientId, expiresAt }) => {
    causes.set(recipientId, { at: clock.now(), expiresAt })
    flushSoon()
  })
  sockets.onVisible((userId) => {
    opened.add(userId)
    flushSoon()
  })
}
