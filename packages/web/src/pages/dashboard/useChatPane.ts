import { useEffect, useState } from 'react'
import { useStore } from '../../ui/useStore.ts'
import { loadLater } from '../../ui/lazy.ts'

const chatPane = loadLater(() => import('./ChatPane.tsx'))

/**
 * The chat's part of the dashboard: undefined until its code is there. It is fetched as soon as the list stands, before
 * anything else that can wait: it is what everybody wants next.
 */
export function useChatPane(open: boolean) {
  const loaded = useStore(chatPane)
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    chatPane.now().catch((error: unknown) => {
      console.error(error)
      if (open) setFailure({ error })
    })
  }, [open])
  // Caught like a page whose code cannot be fetched.
  if (failure) throw failure.error
  return loaded?.ChatPane
}
