import { recovery as contract } from '@privity/contract/recovery'
import type { SignedInUser } from '@privity/contract/session'
import { type Bytes, unwrapAccountKey, wrapAccountKey } from '@privity/e2ee'
import { deriveRecovery } from '@privity/e2ee/recoveryKey'
import type { Call } from '../../transport/call.ts'
import type { PasswordKeys } from '../../keys/passwordKeys.ts'

/**
 * Unwraps the account key with the recovery key. `finish` sets the new password and signs in. If a second factor is on,
 * it throws SECOND_FACTOR_REQUIRED, and the second step of signing in sets the password.
 */
export async function recoverPassword(
  call: Call,
  { username, recoveryKey, sharedComputer }: { username: string; recoveryKey: string; sharedComputer: boolean },
  derive: () => Promise<PasswordKeys>,
): Promise<{ raw: Bytes; finish(): Promise<SignedInUser> }> {
  const { proof: recoveryProof, wrapKey } = await deriveRecovery(recoveryKey)
  const found = await call(contract.start, { body: { username, recoveryProof } })
  const wrap = { userId: found.userId, purpose: 'recovery' } as const
  const raw = await unwrapAccountKey(wrapKey, found.recoveryWrappedAccountKey, wrap)
  const signIn = await derive()
  const wrappedAccountKey = await wrapAccountKey(signIn.wrapKey, raw, { ...wrap, purpose: 'password' })
  const { authKey: password, version: passwordVersion } = signIn
  const body = { username, recoveryProof, password, passwordVersion, wrappedAccountKey, sharedComputer }
  return { raw, finish: () => call(contract.finish, { body }) }
}
