import { useState } from 'react'
import { loadError } from '@privity/client'
import type { Later } from '../ui/lazy.ts'
import { toast } from '../ui/toast/toastStore.ts'
import { translated } from './callError.ts'

/** Loads what a button opens when it is pressed first. Returns whether it is awaited, and the press. */
export function useWanted(later: Later<unknown>): [isWanted: boolean, press: () => void] {
  const [isWanted, setWanted] = useState(false)
  function press(): void {
    setWanted(true)
    later.now().catch(async (error: unknown) => {
      const reason = await loadError(error)
      setWanted(false)
      toast({ title: translated(reason), tone: 'destructive' })
    })
  }
  return [isWanted, press]
}
