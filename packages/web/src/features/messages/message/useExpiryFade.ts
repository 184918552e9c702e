import { useEffect, useState } from 'react'
import type { Client } from '@privity/client'
import { type History, withoutExpired } from '../history.ts'
import { patchHistory } from '../queries.ts'
import { watchMoment } from './expiryWatch.ts'
import { fadeTime } from '../useLiveMessages.ts'

/** The time up to which messages have expired: these fade out and are then removed from the history. */
export function useExpiryFade(
  client: Client,
  connectionId: string,
  history: History<{ id: string; seq: number; expiresAt: number }> | undefined,
): number {
  const [expiredUpTo, setExpiredUpTo] = useState(0)
  const next = history?.messages.find((message) => message.expiresAt > expiredUpTo)?.expiresAt

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
