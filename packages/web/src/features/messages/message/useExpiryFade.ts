import { useEffect, useState } from 'react'
import type { Client } from '@privity/client'
import { type History, withoutExpired } from '../history.ts'
import { patchHistory } from '../queries.ts'
import { fadeTime } from '../useLiveMessages.ts'

/** The earliest expiry after a time. Lifetimes differ, so messages may expire in another order than they arrived. */
export function nextExpiry(messages: readonly { expiresAt: number }[], after: number): number | undefined {
  const ahead = messages.map(({ expiresAt }) => expiresAt).filter((at) => at > after)
  return ahead.length === 0 ? undefined : Math.min(...ahead)
}

/** The time up to which messages have expired: these fade out and are then removed from the history. */
export function useExpiryFade(
  client: Client,
  connectionId: string,
  history: History<{ id: string; seq: number; expiresAt: number }> | undefined,
): number {
  const [expiredUpTo, setExpiredUpTo] = useState(0)
  const next = nextExpiry(history?.messages ?? [], expiredUpTo)

  useEffect(() => {
    if (next === undefined) return
    return watchMoment({ at: next, now: client.now, reached: () => setExpiredUpTo(client.now()) })
  }, [client, next])

  useEffect(() => {
    if (expiredUpTo === 0) return
    const timer = setTimeout(() => {
      patchHistory(connectionId, (known) => withoutExpired(known, expiredUpTo))
    }, fadeTime)
    return () => clearTimeout(timer)
  }, [connectionId, expiredUpTo])

  return expiredUpTo
}

/** Maximum timer in ms: timers do not count sleep, so the clock is checked at least this often. */
const longest = 60_000

interface Watched {
  /** By the server's clock, like `now`. */
  at: number
  now: () => number
  reached: () => void
}

/** Calls `reached` once at that time or on waking up after it. Returns a function that stops watching. */
export function watchMoment({ at, now, reached }: Watched): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    for (const [target, type] of signs) target.removeEventListener(type, look)
  }
  const signs = [
    [document, 'visibilitychange'],
    [document, 'resume'],
    [window, 'focus'],
    [window, 'pageshow'],
  ] as const

  function look(): void {
    clearTimeout(timer)
    const rest = at - now()
    if (rest > 0) timer = setTimeout(look, Math.min(rest, longest))
    else {
      stop()
      reached()
    }
  }

  for (const [target, type] of signs) target.addEventListener(type, look)
  timer = setTimeout(look, Math.min(Math.max(0, at - now()), longest))
  return stop
}
