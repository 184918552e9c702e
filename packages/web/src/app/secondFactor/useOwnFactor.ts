import type { Client } from '@privity/client'
import type { SecondFactorProof } from '@privity/contract/secondFactor'
import { isCallError } from '../callError.ts'
import { arePasskeysElsewhere, methodsOf, putSecondFactor, useSecondFactor } from './ownFactors.ts'
import { type ProofEntry, useProofEntry } from './useProofEntry.ts'

/** One's own second factor, asked for in a form of a signed-in member that needs it. */
export interface OwnFactor {
  entry: ProofEntry
  /** Whether there is one to ask for. */
  on: boolean
  elsewhere: boolean
  /** What goes with the call; a passkey is asked for now. */
  collect(): Promise<SecondFactorProof>
  /** Puts a refusal to the field it is about, which may appear for it; false where it is about something else. */
  refuse(error: unknown): boolean
}

/** `onChange`: what was said of the entry before is void. */
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
      // Switched on meanwhile, in another tab. Where this cannot be loaded, the refusal itself is what there is to say.
      client.secondFactor.state().then(putSecondFactor, () => {})
      return false
    },
  }
}
