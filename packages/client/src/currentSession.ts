import type { Session } from './session.ts'
import { CallError } from './transport/callError.ts'

/** The session of the account that is open, if any. */
export interface CurrentSession {
  get(): Session | undefined
  /** Throws NOT_SIGNED_IN if there is none. */
  require(): Session
  /** As `require`, but waits while a session is opened in place of another, which takes nothing more. */
  wait(): Promise<Session>
  /** Stops the session and opens another in its place. */
  replace(open: () => Promise<Session>): Promise<void>
  /** Resolves when the session writes nothing more to the device. */
  end(): Promise<void>
}

export function createCurrentSession(): CurrentSession {
  let session: Session | undefined
  let opening: Promise<void> = Promise.resolve()

  function requireSession(): Session {
    if (session) return session
    throw new CallError('NOT_SIGNED_IN')
  }

  async function stopAndOpen(open: () => Promise<Session>): Promise<void> {
    await session?.stop()
    session = await open()
  }

  return {
    get: () => session,
    require: requireSession,
    async wait() {
      await opening.catch(() => {})
      return requireSession()
    },
    replace(open) {
      opening = stopAndOpen(open)
      return opening
    },
    async end() {
      const ended = session
      // Cleared first, so that no listener uses it while it stops.
      session = undefined
      await ended?.stop()
    },
  }
}
