import { type ReactNode, type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { PreparedRecoveryKey, Client } from '@privity/client'
import { OwnFactorFields, type OwnFactor, useOwnFactor } from '../../../app/secondFactor/ownFactor.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { accountTexts } from '../texts.ts'
import { isCallError, toastError } from '../../../app/callError.ts'
import '../account.css'

export interface KeyToSave {
  recoveryKey: string
  busy: boolean
  onContinue: () => void
}

/** Renders a recovery key to save, with a button to continue. */
export type SaveKey = (key: KeyToSave) => ReactNode

interface ActivateKeyProps {
  prepared: PreparedRecoveryKey
  activation: Activation
  save: SaveKey
  /** Label of the submit button. */
  submit: string
}

/** Shows the new recovery key once, then asks for the second factor if there is one. */
export function ActivateKey({ prepared, activation, save, submit }: ActivateKeyProps) {
  const { factor, isSaved, isPending } = activation
  if (isSaved)
    return (
      <FactorProof factor={factor} busy={isPending} submit={submit} onSubmit={() => activation.activate(prepared)} />
    )
  return (
    <div className="acc-form">
      {save({
        recoveryKey: prepared.recoveryKey,
        busy: isPending,
        onContinue: () => activation.proceed(prepared),
      })}
    </div>
  )
}

interface FactorProofProps {
  factor: OwnFactor
  busy: boolean
  /** Label of the submit button. */
  submit: string
  onSubmit: () => void
}

/** Asks for the second factor only, as the last step. */
function FactorProof({ factor, busy, submit: label, onSubmit }: FactorProofProps) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy && factor.entry.isReady()) onSubmit()
  }

  return (
    <form className="acc-form" onSubmit={submit} noValidate>
      <OwnFactorFields factor={factor} autoFocus />
      <Button type="submit" variant="primary" block busy={busy}>
        {busy ? accountTexts.confirming : label}
      </Button>
    </form>
  )
}

/** Activates a recovery key that was shown. */
interface Activation {
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
      toastError(error, accountTexts.error, accountTexts.fallback)
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
