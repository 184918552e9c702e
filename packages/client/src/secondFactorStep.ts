import {
  type PasskeyRequest,
  secondFactor as contract,
  secondFactorNeeded,
  type SecondFactorNeeded,
  type SecondFactorProof,
} from '@privity/contract/secondFactor'
import type { User } from '@privity/contract/session'
import type { Call } from './call.ts'
import { CallError, isCallError } from './callError.ts'

/** A sign-in whose password was right, and that waits for the second factor. Good for a few minutes, in this browser. */
export interface SecondFactorStep extends Pick<SecondFactorNeeded, 'methods' | 'passkeysElsewhere'> {
  /** What a passkey is to answer; the answer goes to `finish` as `assertion`. */
  passkeyRequest(): Promise<PasskeyRequest>
  /** Starts the session. A wrong proof (SECOND_FACTOR_WRONG, PASSKEY_REFUSED) may be followed by another. */
  finish(proof: SecondFactorProof): Promise<User>
}

export type SignInResult = { status: 'open'; user: User } | { status: 'secondFactor'; step: SecondFactorStep }

/** Runs a call that signs in, and opens what it signed in to: now, or once the second factor was given. */
export async function signInWith(
  call: Call,
  enter: () => Promise<User>,
  open: (user: User) => Promise<void>,
): Promise<SignInResult> {
  const opened = async (signedIn: Promise<User>) => {
    const user = await signedIn
    await open(user)
    return user
  }
  try {
    return { status: 'open', user: await opened(enter()) }
  } catch (error) {
    if (!isCallError(error, 'SECOND_FACTOR_REQUIRED')) throw error
    const needed = secondFactorNeeded.safeParse(error.details)
    if (!needed.success) throw new CallError('UNREADABLE', { status: error.status, cause: needed.error })
    const { ticket, methods, passkeysElsewhere } = needed.data
    const step: SecondFactorStep = {
      methods,
      passkeysElsewhere,
      passkeyRequest: () => call(contract.requestSignInPasskey, { body: { ticket } }),
      finish: (proof) => opened(call(contract.signIn, { body: { ticket, ...proof } })),
    }
    return { status: 'secondFactor', step }
  }
}
