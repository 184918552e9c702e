import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '@privity/client'

const pause = 250

/**
 * What is typed but not sent, kept sealed on this device so that it survives a reload. Give the component the
 * connection as `key`.
 */
export function useDraft(client: Client, connectionId: string) {
  const [text, setText] = useState('')
  const touched = useRef(false)
  const unsaved = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const save = useCallback(() => {
    clearTimeout(timer.current)
    const latest = unsaved.current
    if (latest === undefined) return
    unsaved.current = undefined
    client.drafts.set(connectionId, latest).catch((error: unknown) => console.error(error))
  }, [client, connectionId])

  const change = useCallback(
    (next: string) => {
      touched.current = true
      setText(next)
      unsaved.current = next
      clearTimeout(timer.current)
      timer.current = setTimeout(save, pause)
    },
    [save],
  )

  useEffect(() => {
    let left = false
    client.drafts
      .get(connectionId)
      .then((kept) => {
        if (!left && !touched.current) setText(kept)
      })
      .catch((error: unknown) => console.error(error))
    const hidden = () => {
      if (document.visibilityState === 'hidden') save()
    }
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      left = true
      removeEventListener('pagehide', save)
      document.removeEventListener('visibilitychange', hidden)
      save()
    }
  }, [client, connectionId, save])

  return { text, change }
}
