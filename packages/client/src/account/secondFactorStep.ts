import {
  type PasskeyRequest,
  secondFactor as contract,
  secondFactorNeeded,
  type SecondFactorNeeded,
  type SecondFactorProof,
} from '@privity/contract/secondFactor'
import type { User } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'

/** A sign-in whose password, or recovery key, was right, and that waits for the second factor. Good for a few minutes, in this browser. */
export interface SecondFactorStep extends Pick<SecondFactorNeeded, 'methods' | 'passkeysElsewhere'> {
  /** What a passkey is to answer; the answer goes to `finish` as `assertion`. */
  passkeyRequest(): Promise<PasskeyRequest>
  /** Starts the session. A wrong proof (SECOND_FACTOR_WRONG, PASSKEY_REFUSED) may be followed by another. */
  finish(proof: SecondFactorProof): Promise<User>
}

/** The step that a refused sign-in asks for; `opened` opens what its answer signs in to. */
export function createStep(call: Call, refusal: CallError, opened: (signedIn: Promise<User>) => Promise<User>) {
  const needed = secondFactorNeeded.safeParse(refusal.details)
  if (!needed.success) throw new CallError('UNREADABLE', { status: refusal.status, cause: needed.error })
  const { ticket, methods, passkeysElsewhere } = needed.data
  const step: SecondFactorStep = {
    methods,
    passkeysElsewhere,
    passkeyRequest: () => call(contract.requestSignInPasskey, { body: { ticket } }),
    finish: (proof) => opened(call(contract.signIn, { body: { ticket, ...proof } })),
  }
  return step
}
