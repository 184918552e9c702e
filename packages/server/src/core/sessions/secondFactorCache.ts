import type { Bus } from '../cluster/bus.ts'
import type { Session } from './sessions.ts'

/** Whether the user of a session has the second factor that their organization requires, from memory if possible. */
export interface FactorCheck {
  /** Known to lack nothing: checked since a policy last changed. */
  isSettled(session: Session): boolean
  isMissing(session: Session): Promise<boolean>
}

/**
 * Remembers a negative result of `ask` with the session until any policy changes, while all notices arrive. Nothing
 * else can outdate it: a user who loses a required second factor also loses all sessions.
 */
export function createFactorCheck(bus: Bus, ask: (userId: string) => Promise<boolean>): FactorCheck {
  let settled = new WeakSet<Session>()
  const clear = () => {
    settled = new WeakSet()
  }
  bus.subscribe('policyChanged', clear)
  bus.subscribe('missed', clear)
  return {
    isSettled: (session) => settled.has(session) && bus.isWhole(),
    async isMissing(session) {
      // A result from before a change belongs to the cache from before it.
      const current = settled
      if (await ask(session.userId)) return true
      current.add(session)
      return false
    },
  }
}
