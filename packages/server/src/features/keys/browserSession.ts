import type { BrowserEntry } from '@privity/contract/browserKeys'
import { signedSessionBytes } from '@privity/contract/signedBytes'
import type { Tx } from '../../core/database/types.ts'
import { audit } from '../../core/audit/audit.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import { describeBrowser } from '../session/browserName.ts'
import type { MemberCall } from '../secondFactor/confirmation.ts'
import { selectBrowsersOfSession, storeSessionBrowser } from './browserQueries.ts'
import { invalid, isSignedBy } from './signatures.ts'

/**
 * Binds a session to a listed browser. Throws unless the browser's key signed that this session belongs to it: whoever
 * signs in with the password has the identity key, and could name any browser of the list.
 */
export async function bindSession(
  tx: Tx,
  call: MemberCall,
  { browserId, signKey }: Pick<BrowserEntry, 'browserId' | 'signKey'>,
  sessionSignature: string,
): Promise<void> {
  const { userId, sessionId, sharedComputer } = call.caller
  if (!isSignedBy(signKey, signedSessionBytes({ userId, sessionId, browserId }), sessionSignature))
    throw invalid('sessionSignature', 'The key of the browser did not sign that this session belongs to it.')
  const before = await selectBrowsersOfSession(tx, sessionId)
  await storeSessionBrowser(tx, { userId, sessionId }, browserId)
  // On a shared computer each page is another browser.
  if (before.length > 0 && !before.includes(browserId) && !sharedComputer) await reportSharedSession(tx, call)
}

/** Another browser has the cookie of this session: the data of the one before was cleared, or somebody uses a copy. */
async function reportSharedSession(tx: Tx, call: MemberCall): Promise<void> {
  const { core, caller, request } = call
  const { userId, address } = caller
  await notifyAccountChange(tx, call, 'session_shared')
  await audit(tx, {
    action: 'session_shared',
    actorId: userId,
    targetId: userId,
    address,
    details: { browser: describeBrowser(request.headers['user-agent']) },
    at: core.clock.now(),
  })
}
