import {
  type PasskeyRequest,
  secondFactor as contract,
  secondFactorNeeded,
  type SecondFactorNeeded,
  type SecondFactorProof,
} from '@privity/contract/secondFactor'
import type { SignedInUser, User } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'

/**
 * A sign-in that waits for the second factor after the right password or recovery key. Valid for a few minutes, in this
 * browser.
 */
export interface SecondFactorStep extends Pick<SecondFactorNeeded, 'methods' | 'passkeysElsewhere'> {
  /** The challenge for a passkey; its response goes to `finish` as `assertion`. */
  passkeyRequest(): Promise<PasskeyRequest>
  /** Starts the session. After a wrong proof (SECOND_FACTOR_WRONG, PASSKEY_REFUSED) another may follow. */
  finish(proof: SecondFactorProof): Promise<User>
}

/** Creates the step that a refused sign-in requires; `opened` opens the account it signs in to. */
export function createSecondFactorStep(
  call: Call,
  refusal: CallError,
  opened: (entering: Promise<SignedInUser>) => Promise<User>,
  sharedComputer: boolean,
) {
  const needed = secondFactorNeeded.safeParse(refusal.details)
  if (!needed.success) throw new CallError('RESPONSE_UNREADABLE', { status: refusal.status, cause: needed.error })
  const { ticket, methods, passkeysElsewhere } = needed.data
  const step: SecondFactorStep = {
    methods,
    passkeysElsewhere,
    passkeyRequest: () => call(contract.requestSignInPasskey, { body: { ticket } }),
    finish: (proof) => opened(call(contract.signIn, { body: { ticket, sharedComputer, ...proof } })),
  }
  return step
}
