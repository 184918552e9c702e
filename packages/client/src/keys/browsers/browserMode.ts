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
 * Whether "Only approved browsers" is to apply: as the user chose last, also where a restored database or a dishonest
 * server shows an older mode. A browser that is not approved cannot switch the stricter mode off, so it goes on in it:
 * in the other one it could not publish.
 */
export const modeToApply = ({ mode, isModeRequired, isModeOlder, isApproved }: BrowserKeys<unknown>): boolean =>
  mode.onlyApproved || isModeRequired || (isModeOlder && !isApproved)
