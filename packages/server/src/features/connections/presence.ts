import type { Stop } from '../../core/clock.ts'
import type { Core } from '../../core/core.ts'
import { tellContacts } from './contacts.ts'

/** A reload of the page closes the socket for a moment: contacts hear of it only if it lasts. */
const leavingTakes = 3_000

/** Tells contacts when a user comes and when he is gone. */
export function tellPresence(core: Core): void {
  const leaving = new Map<string, Stop>()

  const tell = (userId: string) =>
    core.background.run('presence', () => tellContacts(core, userId, { about: 'online' }))

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
