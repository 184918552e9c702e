import type { BrowserEntry } from '@privity/contract/browserKeys'
import { signedSessionBytes } from '@privity/contract/signedBytes'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { storeSessionBrowser } from './browserQueries.ts'
import { invalid, isSignedBy } from './signatures.ts'

/**
 * Binds a session to a listed browser. Throws unless the browser's key signed that this session belongs to it: whoever
 * signs in with the password has the identity key, and could name any browser of the list.
 */
export async function bindSession(
  tx: Tx,
  { userId, sessionId }: Caller,
  { browserId, signKey }: Pick<BrowserEntry, 'browserId' | 'signKey'>,
  sessionSignature: string,
): Promise<void> {
  if (!isSignedBy(signKey, signedSessionBytes({ userId, sessionId, browserId }), sessionSignature))
    throw invalid('sessionSignature', 'The key of the browser did not sign that this session belongs to it.')
  await storeSessionBrowser(tx, { userId, sessionId }, browserId)
}
