import type { Stop } from '../../core/clock.ts'
import type { Core } from '../../core/core.ts'
import { oneAtATime } from '../../core/async/coalesce.ts'
import { inStatements } from '../../core/database/bulkInsert.ts'
import { tellPresence } from './contacts.ts'

/** A reload of the page closes the socket for a moment: contacts hear of it only if it lasts. */
const leavingTakes = 3_000

/**
 * Tells contacts when a user comes and when he is gone. A thousand come at once when a server has started again: those
 * who come while some are looked up are looked up together.
 */
export function tellWhoComes(core: Core): void {
  const leaving = new Map<string, Stop>()
  const changed = new Set<string>()

  const tellAll = oneAtATime(async () => {
    const userIds = [...changed]
    changed.clear()
    for (const some of inStatements(userIds))
      await tellPresence(core, some).catch((error: unknown) => core.log.error({ err: error }, 'presence'))
  })

  function tell(userId: string): void {
    changed.add(userId)
    // The others wait for the same run.
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
