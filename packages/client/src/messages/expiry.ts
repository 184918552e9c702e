import type { Clock } from '../transport/clock.ts'

/** Reports expired messages, to the millisecond of the server's clock. */
export interface Expiry {
  /**
   * The earliest expiry named for a message counts. While a message cannot be opened, only the server's expiry is
   * known, which may be later than the one in the message.
   */
  watch(message: { id: string; connectionId: string; expiresAt: number }): void
  /** Checks at once: the device may have slept, which timers do not count, or the clock was corrected. */
  check(): void
  stop(): void
}

/** Limits how far ahead a timer is set, so that messages that expired during an unnoticed sleep are removed soon. */
const maxTimerMs = 60_000

export function createExpiry(
  clock: Clock,
  onExpired: (expired: { connectionId: string; ids: string[] }) => void,
): Expiry {
  /** By conversation and id: a server can show one message in several. */
  const watched = new Map<string, { id: string; connectionId: string; expiresAt: number }>()
  let timer: { time: number; stop: () => void } | undefined

  function schedule(time: number): void {
    if (timer && timer.time <= time) return
    timer?.stop()
    timer = { time, stop: clock.after(Math.min(time - clock.now(), maxTimerMs), check) }
  }

  function check(): void {
    timer?.stop()
    fire()
  }

  function fire(): void {
    timer = undefined
    const now = clock.now()
    const expired = new Map<string, string[]>()
    let next = Infinity
    for (const [key, { id, connectionId, expiresAt }] of watched) {
      if (expiresAt > now) next = Math.min(next, expiresAt)
      else {
        watched.delete(key)
        expired.set(connectionId, [...(expired.get(connectionId) ?? []), id])
      }
    }
    if (next < Infinity) schedule(next)
    for (const [connectionId, ids] of expired) onExpired({ connectionId, ids })
  }

  return {
    watch({ id, connectionId, expiresAt }) {
      const key = connectionId + id
      if ((watched.get(key)?.expiresAt ?? Infinity) <= expiresAt) return
      watched.set(key, { id, connectionId, expiresAt })
      schedule(expiresAt)
    },
    check,
    stop() {
      timer?.stop()
      watched.clear()
    },
  }
}
