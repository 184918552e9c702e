import type { Stop } from '../../core/clock.ts'
import type { Core } from '../../core/core.ts'
import { coalesce } from '../../core/async/promises.ts'
import { splitIntoStatements } from '../../core/database/statements.ts'
import { notifyPresence } from './contacts.ts'

/** Grace period before a user counts as offline: reloading the page closes the socket for a moment. */
const offlineDelayMs = 3_000

/**
 * Notifies contacts when a user comes online or goes offline. After a restart of the server a thousand may come online
 * at once: those who do during one lookup share the next.
 */
export function notifyPresenceChanges(core: Core): void {
  const leaving = new Map<string, Stop>()
  const changed = new Set<string>()

  const notifyAll = coalesce(async () => {
    const userIds = [...changed]
    changed.clear()
    for (const batch of splitIntoStatements(userIds))
      await notifyPresence(core, batch).catch((error: unknown) => core.log.error({ err: error }, 'presence'))
  })

  function addChange(userId: string): void {
    changed.add(userId)
    // The first change starts the run; later ones wait for it.
    if (changed.size === 1) core.background.run('presence', notifyAll)
  }

  core.sockets.onPresence((userId, online) => {
    const stopLeaving = leaving.get(userId)
    stopLeaving?.()
    leaving.delete(userId)
    if (!online) {
      leaving.set(
        userId,
        core.clock.after(offlineDelayMs, () => {
          leaving.delete(userId)
          addChange(userId)
        }),
      )
    } else if (stopLeaving === undefined) {
      addChange(userId)
    }
  })
}
