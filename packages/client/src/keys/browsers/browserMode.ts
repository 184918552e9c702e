import type { BrowserMode, SignedMode } from '@privity/contract/browserKeys'
import type { Identity } from '@privity/e2ee'
import { signBrowserMode, verifyBrowserMode } from '@privity/e2ee/browserEntry'
import { CallError } from '../../transport/callError.ts'
import type { BrowserKeys } from './browserCalls.ts'

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

/**
 * Whether "Only approved browsers" is to apply. The mode is the one that the user chose last, even if a restored
 * database or a dishonest server shows an older one. One exception: a browser that is not approved cannot switch "Only
 * approved browsers" off again on such a server, which would refuse what it publishes in the default mode. It keeps the
 * mode on.
 */
export const modeToApply = ({ mode, isModeRequired, isModeOlder, isApproved }: BrowserKeys<unknown>): boolean =>
  mode.onlyApproved || isModeRequired || (isModeOlder && !isApproved)
