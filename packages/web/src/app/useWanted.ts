import { useEffect, useState } from 'react'
import { loadError } from '@privity/client'
import { longWait } from '../ui/feedback/Progress.tsx'
import type { Later } from '../ui/lazy.ts'
import { toast } from '../ui/toast/toastStore.ts'
import { translated } from './callError.ts'
import { coreTexts } from './texts.ts'

/**
 * Says after a long wait that the server has not answered, then calls `giveUp`. Returns a function that cancels this.
 */
export function afterLongWait(giveUp?: () => void): () => void {
  const timer = setTimeout(() => {
    toast({ title: coreTexts.stillLoading, description: coreTexts.tryAgainOrReload, tone: 'warning' })
    giveUp?.()
  }, longWait)
  return () => clearTimeout(timer)
}

/**
 * Resolves with the loaded code. After a long wait it says that the server has not answered, and resolves with
 * undefined, so that code which arrives later opens nothing.
 */
export function loadedSoon<T>(loading: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = afterLongWait(() => resolve(undefined))
    loading.finally(cancel).then(resolve, reject)
  })
}

/** Loads what a button opens when it is pressed first. Returns whether it is awaited, and the press. */
export function useWanted(later: Later<unknown>): [isWanted: boolean, press: () => void] {
  const [isWanted, setWanted] = useState(false)
  function press(): void {
    setWanted(true)
    loadedSoon(later.now()).then(
      (loaded) => loaded ?? setWanted(false),
      async (error: unknown) => {
        const reason = await loadError(error)
        setWanted(false)
        toast({ title: translated(reason), tone: 'destructive' })
      },
    )
  }
  return [isWanted, press]
}

/**
 * Replaces a part of the page while its code loads. Shows nothing, but says after a long wait that the server has not
 * answered.
 */
export function CodeLoading() {
  useEffect(() => afterLongWait(), [])
  return null
}
