import type { ReactNode } from 'react'
import type { PreparedRecoveryKey } from '@privity/client'
import { FactorProof } from './FactorProof.tsx'
import type { Activation } from './useActivation.ts'
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
