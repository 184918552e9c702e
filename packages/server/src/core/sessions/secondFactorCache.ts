import type { Bus } from '../cluster/bus.ts'
import type { Session } from './sessions.ts'

/** Whether a user lacks the second factor that their organization requires; cached per session. */
export interface FactorCheck {
  /** Whether the cache knows that nothing is missing. */
  isSettled(session: Session): boolean
  isMissing(session: Session): Promise<boolean>
}

/**
 * Caches a negative result of `readIsMissing` until any policy changes or events are lost. Nothing else can outdate it:
 * a user who loses a required second factor also loses all sessions.
 */
export function createFactorCheck(bus: Bus, readIsMissing: (userId: string) => Promise<boolean>): FactorCheck {
  let settled = new WeakSet<Session>()
  const clear = () => {
    settled = new WeakSet()
  }
  bus.subscribe('policyChanged', clear)
  bus.subscribe('eventsLost', clear)
  return {
    isSettled: (session) => settled.has(session) && bus.receivesAllEvents(),
    async isMissing(session) {
      // A result from before a change belongs to the cache from before it.
      const current = settled
      if (await readIsMissing(session.userId)) return true
      current.add(session)
      return false
    },
  }
}
