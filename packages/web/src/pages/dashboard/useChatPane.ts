import { useEffect, useState } from 'react'
import { useStore } from '../../ui/useStore.ts'
import { loadLater } from '../../ui/lazy.ts'

const chatPane = loadLater(() => import('./ChatPane.tsx'))

/**
 * The chat's component; undefined until loaded. Its code is fetched right after the list is shown, before other
 * deferred code, because a conversation is usually opened next.
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
  // Thrown, so that the crash screen handles it like a page whose code failed to load.
  if (failure) throw failure.error
  return loaded?.ChatPane
}
