import { useEffect, useMemo } from 'react'
import type { Client } from '@privity/client'
import { useStore } from '../../../ui/useStore.ts'
import { writingOf } from './draftState.ts'

/** The text of a conversation's field, stored encrypted on this device so that it survives a reload. */
export function useWriting(client: Client, connectionId: string) {
  const writing = useMemo(() => writingOf(client, connectionId), [client, connectionId])

  useEffect(() => {
    const leave = writing.enter()
    const hidden = () => {
      if (document.visibilityState === 'hidden') writing.save()
    }
    addEventListener('pagehide', writing.save)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      removeEventListener('pagehide', writing.save)
      document.removeEventListener('visibilitychange', hidden)
      leave()
    }
  }, [writing])

  return { text: useStore(writing), change: writing.change, send: writing.send }
}
