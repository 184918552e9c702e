import type { Bus } from '../cluster/bus.ts'
import type { Session } from './sessions.ts'

/** Whether the user of a session has the second factor that his organization requires, from memory when possible. */
export interface FactorCheck {
  /** Nothing is missing: it was asked since a policy last changed. */
  isSettled(session: Session): boolean
  isMissing(session: Session): Promise<boolean>
}

/**
 * What `ask` answers with no is remembered with the session until any policy changes, as long as every change is heard of. Who loses his second factor
 * while it is required loses his sessions with it, so nothing else makes it untrue.
 */
export function createFactorCheck(bus: Bus, ask: (userId: string) => Promise<boolean>): FactorCheck {
  let settled = new WeakSet<Session>()
  const forget = () => {
    settled = new WeakSet()
  }
  bus.subscribe('policyChanged', forget)
  bus.subscribe('missed', forget)
  return {
    isSettled: (session) => settled.has(session) && bus.isWhole(),
    async isMissing(session) {
      // An answer from before a change belongs to what was remembered before it.
      const current = settled
      if (await ask(session.userId)) return true
      current.add(session)
      return false
    },
  }
}
