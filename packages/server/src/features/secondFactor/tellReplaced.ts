import type { Tx } from '../../core/db.ts'
import { mailMember } from '../../core/memberLetters.ts'
import { addNotification, tellChanged } from '../notifications/notifications.ts'
import { describeBrowser } from '../session/browserName.ts'
import { getUser } from '../session/users.ts'
import type { Asked } from './confirm.ts'

const letterOf = (browser: string, address: string, at: number) => `The authenticator app of your account was replaced.

Browser: ${browser}
Address: ${address}
Time:    ${new Date(at).toUTCString()}

The codes of the app before no longer sign in. If this was you, there is nothing to do. If not, somebody has your
password and your second factor: sign in with a recovery code, end that session under Account Settings, change your
password and replace the app again. If you cannot sign in, ask your organization to reset your second factor.
`

/**
 * Tells an account that its app is another one now, whatever its owner prefers to hear of: his other browsers at
 * once, his notifications, and by mail.
 */
export async function tellReplaced(tx: Tx, { core, request, caller }: Asked): Promise<void> {
  const { userId, sessionId, address } = caller
  const device = describeBrowser(request.headers['user-agent'])
  await addNotification(tx, core, userId, { kind: 'authenticator_replaced', sessionId, device, address })
  tellChanged(tx, core, userId)
  const { email } = await getUser(tx, userId)
  const text = letterOf(device, address, core.clock.now())
  const letter = { to: email, subject: 'Your Privity authenticator app was replaced', text, account: userId }
  tx.afterCommit(() => mailMember(core, letter))
}
