import type { User } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'
import { isCallError } from '../transport/callError.ts'
import type { SecondFactorStep } from './secondFactorStep.ts'

export type SignInResult = { status: 'open'; user: User } | { status: 'secondFactor'; step: SecondFactorStep }

/** Runs a sign-in call and opens the account: at once, or after the second factor. */
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
    // Loaded lazily: most sign-ins do not need it.
    const { createSecondFactorStep } = await import('./secondFactorStep.ts')
    return { status: 'secondFactor', step: createSecondFactorStep(call, error, opened) }
  }
}
