import type { Clock } from '../transport/clock.ts'

/** Reports expired messages, to the millisecond of the server's clock. */
export interface Expiry {
  watch(message: { id: string; connectionId: string; expiresAt: number }): void
  /** Checks at once: the device may have slept, which timers do not count, or the clock was corrected. */
  look(): void
  stop(): void
}

/** Limits how far ahead a timer is set, so that messages that expired during an unnoticed sleep are removed soon. */
const longest = 60_000

export function createExpiry(clock: Clock, expired: (gone: { connectionId: string; ids: string[] }) => void): Expiry {
  const watched = new Map<string, { connectionId: string; expiresAt: number }>()
  let timer: { at: number; stop: () => void } | undefined

  function plan(at: number): void {
    if (timer && timer.at <= at) return
    timer?.stop()
    timer = { at, stop: clock.after(Math.min(at - clock.now(), longest), look) }
  }

  function look(): void {
    timer?.stop()
    fire()
  }

  function fire(): void {
    timer = undefined
    const now = clock.now()
    const gone = new Map<string, string[]>()
    let next = Infinity
    for (const [id, { connectionId, expiresAt }] of watched) {
      if (expiresAt > now) next = Math.min(next, expiresAt)
      else {
        watched.delete(id)
        gone.set(connectionId, [...(gone.get(connectionId) ?? []), id])
      }
    }
    if (next < Infinity) plan(next)
    for (const [connectionId, ids] of gone) expired({ connectionId, ids })
  }

  return {
    watch({ id, connectionId, expiresAt }) {
      if (watched.has(id)) return
      watched.set(id, { connectionId, expiresAt })
      plan(expiresAt)
    },
    look,
    stop() {
      timer?.stop()
      watched.clear()
    },
  }
}
