import type { Client } from '@privity/client'
import type { SecondFactorProof } from '@privity/contract/secondFactor'
import { isCallError } from '../callError.ts'
import { arePasskeysElsewhere, methodsOf, putSecondFactor, useSecondFactor } from './ownFactors.ts'
import { ProofFields } from './ProofFields.tsx'
import { type ProofEntry, useProofEntry } from './useProofEntry.ts'

/** State of the second-factor fields in a form of a signed-in member. */
export interface OwnFactor {
  entry: ProofEntry
  /** Whether the user has a second factor. */
  on: boolean
  elsewhere: boolean
  /** Returns the proof to send with the call; asks for a passkey if that is the method. */
  collect(): Promise<SecondFactorProof>
  /** Shows a refusal at the field it concerns. Returns false if it concerns something else. */
  refuse(error: unknown): boolean
}

/** `onChange` is called when the entry changes, to clear earlier errors. */
export function useOwnFactor(client: Client, onChange: () => void): OwnFactor {
  const { data: state } = useSecondFactor(client)
  const on = state?.on ?? false
  const entry = useProofEntry(state && on ? methodsOf(state) : [], onChange)
  return {
    entry,
    on,
    elsewhere: state !== undefined && arePasskeysElsewhere(state),
    collect: () => entry.collect(() => client.secondFactor.passkeyRequest()),
    refuse(error) {
      if (!isCallError(error) || error.code !== 'SECOND_FACTOR_REQUIRED') return entry.refuse(error)
      // Enabled meanwhile in another tab: load it, to show its field. If that fails, the refusal itself is shown.
      client.secondFactor.state().then(putSecondFactor, () => {})
      return false
    },
  }
}

/** Fields for the user's own second factor, if it is enabled. */
export function OwnFactorFields({ factor, autoFocus }: { factor: OwnFactor; autoFocus?: boolean }) {
  return factor.on && <ProofFields entry={factor.entry} elsewhere={factor.elsewhere} autoFocus={autoFocus} />
}
