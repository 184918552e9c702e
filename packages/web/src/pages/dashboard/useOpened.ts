import { useEffect, useEffectEvent, useState } from 'react'
import { loadError } from '@privity/client'
import { toast } from '../../ui/toast/toastStore.ts'
import { translated } from '../../app/callError.ts'
import { afterLongWait } from '../../app/useWanted.ts'

/**
 * Returns the code of what is opened; undefined until loaded. If loading fails or takes long, a toast says so and
 * `close` is called, so that the rest of the page stays usable and the next opening tries again. `load` is a constant.
 */
export function useOpened<T>(load: () => Promise<T>, isOpen: boolean, close: () => void): T | undefined {
  const [loaded, setLoaded] = useState<{ code: T }>()
  const isAwaited = isOpen && !loaded
  const giveUp = useEffectEvent(close)
  useEffect(() => {
    if (!isAwaited) return undefined
    let isLeft = false
    const cancel = afterLongWait(() => giveUp())
    load().then(
      (code) => setLoaded({ code }),
      async (error: unknown) => {
        const reason = await loadError(error)
        if (isLeft) return
        giveUp()
        toast({ title: translated(reason), tone: 'destructive' })
      },
    )
    return () => {
      isLeft = true
      cancel()
    }
  }, [load, isAwaited])
  return isOpen ? loaded?.code : undefined
}
