import type { BrowserMode, SignedMode } from '@privity/contract/browserKeys'
import type { Identity } from '@privity/e2ee'
import { signBrowserMode, verifyBrowserMode } from '@privity/e2ee/browserEntry'
import { CallError } from '../../transport/callError.ts'

export async function signMode(
  identity: Identity,
  userId: string,
  mode: Pick<SignedMode, 'onlyApproved' | 'n'>,
): Promise<SignedMode> {
  return { ...mode, signature: await signBrowserMode(identity, { userId, ...mode }) }
}

/** Throws KEYS_ALTERED for a mode that the identity has not signed. */
export async function verifyMode(
  own: { userId: string; identityKey: string },
  { n, onlyApproved, signature = '' }: BrowserMode,
): Promise<void> {
  const { userId, identityKey } = own
  await verifyBrowserMode(identityKey, { userId, onlyApproved, n }, signature).catch((cause: unknown) => {
    throw new CallError('KEYS_ALTERED', { cause })
  })
}
