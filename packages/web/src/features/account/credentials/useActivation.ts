import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, PreparedRecoveryKey } from '@privity/client'
import { isCallError, messageFor } from '../../../app/callError.ts'
import { type OwnFactor, useOwnFactor } from '../../../app/secondFactor/useOwnFactor.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { accountTexts } from '../texts.ts'

/** Activates a recovery key that was shown. */
export interface Activation {
  factor: OwnFactor
  /** The key is saved; only the second factor is missing. */
  isSaved: boolean
  isPending: boolean
  /** Continues after saving. The second factor is asked for last: codes expire sooner than saving takes. */
  proceed(key: PreparedRecoveryKey): void
  activate(key: PreparedRecoveryKey): void
  forget(): void
}

/** `onStale`: the keys were replaced meanwhile, so this recovery key would unlock nothing. */
export function useActivation(client: Client, onDone: () => void, onStale: () => void): Activation {
  const [isSaved, setSaved] = useState(false)
  const factor = useOwnFactor(client, () => activate.reset())

  function forget() {
    setSaved(false)
    factor.entry.clear()
  }

  const activate = useMutation({
    mutationFn: async (key: PreparedRecoveryKey) => key.activate(await factor.collect()),
    onSuccess() {
      forget()
      onDone()
    },
    onError(error) {
      if (factor.refuse(error)) return
      // The factor was enabled meanwhile in another tab: ask for it now.
      if (isCallError(error) && error.code === 'SECOND_FACTOR_REQUIRED') setSaved(true)
      if (isCallError(error) && error.code === 'STALE_VERSION') {
        forget()
        onStale()
      }
      toast({
        title: accountTexts.error,
        description: messageFor(error, accountTexts.fallback),
        tone: 'destructive',
      })
    },
  })

  return {
    factor,
    isSaved,
    isPending: activate.isPending,
    proceed(key) {
      if (factor.on) setSaved(true)
      else activate.mutate(key)
    },
    activate: (key) => activate.mutate(key),
    forget,
  }
}
