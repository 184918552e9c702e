import type { Stop } from '../../core/clock.ts'
import type { Core } from '../../core/core.ts'
import { coalesce } from '../../core/async/promises.ts'
import { splitIntoStatements } from '../../core/database/statements.ts'
import { tellPresence } from './contacts.ts'

/** Grace period (ms) before a user counts as offline: reloading the page closes the socket for a moment. */
const leavingTakes = 3_000

/**
 * Notifies contacts when a user comes online or goes offline. After a restart of the server a thousand may come at
 * once: those who come during one lookup share the next.
 */
export function tellWhoComes(core: Core): void {
  const leaving = new Map<string, Stop>()
  const changed = new Set<string>()

  const tellAll = coalesce(async () => {
    const userIds = [...changed]
    changed.clear()
    for (const some of splitIntoStatements(userIds))
      await tellPresence(core, some).catch((error: unknown) => core.log.error({ err: error }, 'presence'))
  })

  function tell(userId: string): void {
    changed.add(userId)
    // The first change starts the run; later ones wait for it.
    if (changed.size === 1) core.background.run('presence', tellAll)
  }

  core.sockets.onPresence((userId, online) => {
    const stopLeaving = leaving.get(userId)
    stopLeaving?.()
    leaving.delete(userId)
    if (!online) {
      leaving.set(
        userId,
        core.clock.after(leavingTakes, () => {
          leaving.delete(userId)
          tell(userId)
        }),
      )
    } else if (stopLeaving === undefined) {
      tell(userId)
    }
  })
}
