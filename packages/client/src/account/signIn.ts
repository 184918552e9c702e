import type { SignedInUser, User } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'
import { isCallError } from '../transport/callError.ts'
import type { SecondFactorStep } from './secondFactorStep.ts'

export type SignInResult = { status: 'open'; user: User } | { status: 'secondFactor'; step: SecondFactorStep }

/** The user as the rest of the client knows them: the session's share is for the key store only. */
export const withoutSession = ({ session: _session, ...user }: User & { session?: unknown }): User => user

/** Runs a sign-in call and opens the account: at once, or after the second factor. */
export async function signInWith(
  call: Call,
  enter: () => Promise<SignedInUser>,
  open: (signedIn: SignedInUser) => Promise<void>,
  sharedComputer = false,
): Promise<SignInResult> {
  const opened = async (entering: Promise<SignedInUser>) => {
    const signedIn = await entering
    // Nothing is stored on a shared computer, whatever the server says.
    if (sharedComputer) signedIn.session.sharedComputer = true
    await open(signedIn)
    return withoutSession(signedIn)
  }
  try {
    return { status: 'open', user: await opened(enter()) }
  } catch (error) {
    if (!isCallError(error, 'SECOND_FACTOR_REQUIRED')) throw error
    // Loaded lazily: most sign-ins do not need it.
    const { createSecondFactorStep } = await import('./secondFactorStep.ts')
    return { status: 'secondFactor', step: createSecondFactorStep(call, error, opened, sharedComputer) }
  }
}
