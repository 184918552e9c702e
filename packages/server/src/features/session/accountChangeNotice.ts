import type { FastifyRequest } from 'fastify'
import type { AccountChange } from '@privity/contract/notifications'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { mailMember } from '../../core/mail/memberMail.ts'
import { addNotification, notifyNotificationsChanged } from '../notifications/notifications.ts'
import { describeBrowser } from './browserName.ts'
import { getUser } from './users.ts'

const subjects: Record<AccountChange, string> = {
  password_changed: 'The password of your Privity account was changed',
  password_recovered: 'The password of your Privity account was reset with the recovery key',
  email_changed: 'The email address of your Privity account was changed',
  recovery_key_renewed: 'The recovery key of your Privity account was replaced',
  keys_replaced: 'The keys, password and recovery key of your Privity account were replaced',
  passkey_added: 'A passkey was added to your Privity account',
  passkey_removed: 'A passkey was removed from your Privity account',
  totp_added: 'An authenticator app was added to your Privity account',
  totp_replaced: 'The authenticator app of your Privity account was replaced',
  totp_removed: 'The authenticator app was removed from your Privity account',
  second_factor_switched_off: 'Two-factor authentication of your Privity account was switched off',
  recovery_codes_renewed: 'The recovery codes of your Privity account were replaced',
  login_notifications_off: 'Login notifications of your Privity account were switched off',
}

const stolenCredentials = `someone has your password or your recovery key: sign in, end that
session under Account Settings, and set a new password, a new recovery key and a new second factor. If you cannot
sign in, use your recovery key, or ask an administrator of your organization for help.`

const stolenSession = `someone is using one of your sessions: sign in, end that session under
Account Settings, change your password, and switch login notifications on again under Privacy & Security.`

/** Every other change needs the password. */
const needsNoPassword = (change: AccountChange) => change === 'login_notifications_off'

const emailText = (change: AccountChange, browser: string, address: string, at: number) => `${subjects[change]}.

Browser: ${browser}
Address: ${address}
Time:    ${new Date(at).toUTCString()}

If this was you, you can ignore this email. If not, ${needsNoPassword(change) ? stolenSession : stolenCredentials}
`

/** The call that made the change, and the session that continues after it. */
export interface ChangeCall {
  core: Core
  request: FastifyRequest
  caller: Pick<Caller, 'userId' | 'sessionId' | 'address'>
}

/**
 * Notifies an account, regardless of preferences, of a change to who controls it: the owner's other browsers at once,
 * in the notifications, and by mail. `email` is the address that the account had before the change.
 */
export async function notifyAccountChange(
  tx: Tx,
  { core, request, caller }: ChangeCall,
  change: AccountChange,
  email?: string,
): Promise<void> {
  const { userId, sessionId, address } = caller
  const device = describeBrowser(request.headers['user-agent'])
  await addNotification(tx, core, userId, { kind: 'account_changed', change, sessionId, device, address })
  notifyNotificationsChanged(tx, core, userId)
  const to = email ?? (await getUser(tx, userId)).email
  const text = emailText(change, device, address, core.clock.now())
  // Counted separately: a stolen session could otherwise use up the emails about changes that need the password.
  const account = needsNoPassword(change) ? `${userId} ${change}` : userId
  const mail = { to, subject: subjects[change], text, account, isAboutChange: true }
  tx.afterCommit(() => mailMember(core, mail))
}
