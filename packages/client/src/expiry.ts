import type { Clock } from './clock.ts'

/** Says which messages have expired, to the millisecond of the server's clock. */
export interface Expiry {
  watch(message: { id: string; connectionId: string; expiresAt: number }): void
  stop(): void
}

export function createExpiry(clock: Clock, expired: (gone: { connectionId: string; ids: string[] }) => void): Expiry {
  const watched = new Map<string, { connectionId: string; expiresAt: number }>()
  let timer: { at: number; stop: () => void } | undefined

  function plan(at: number): void {
    if (timer && timer.at <= at) return
    timer?.stop()
    timer = { at, stop: clock.after(at - clock.now(), fire) }
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
    stop() {
      timer?.stop()
      watched.clear()
    },
  }
}
