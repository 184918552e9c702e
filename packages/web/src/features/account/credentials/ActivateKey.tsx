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

/** Shows a recovery key, and goes on once it is saved. */
export type SaveKey = (key: KeyToSave) => ReactNode

interface ActivateKeyProps {
  prepared: PreparedRecoveryKey
  activation: Activation
  save: SaveKey
  /** What the last button does. */
  submit: string
}

/** A new recovery key, shown once; then the second factor where there is one. */
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
