import { useEffect, useState } from 'react'
import { useStore } from '../../core/useStore.ts'
import { loadLater } from '../../ui/loadLater.ts'

const chatPane = loadLater(() => import('./ChatPane.tsx'))

/** The chat's part of the dashboard: undefined until its code is there, fetched at once for an open conversation. */
export function useChatPane(open: boolean) {
  const loaded = useStore(chatPane)
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    if (open) chatPane.now().catch((error: unknown) => setFailure({ error }))
  }, [open])
  // Caught like a page whose code cannot be fetched.
  if (failure) throw failure.error
  return loaded?.ChatPane
}
