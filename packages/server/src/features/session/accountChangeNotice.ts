import type { FastifyRequest } from 'fastify'
import type { AccountChange } from '@privity/contract/notifications'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { emailTexts, mailMember, type MemberEmail } from '../../core/mail/memberMail.ts'
import { addNotification, notifyNotificationsChanged } from '../notifications/notifications.ts'
import { preferencesOf } from '../preferences/preferences.ts'
import { describeBrowser } from './browserName.ts'
import { getUser } from './users.ts'

/** Every other change needs the password, or the identity key. */
const needsNoPassword = (change: AccountChange) => change === 'login_notifications_off'

/** The new address and what needs no password have guarantees of their own: neither can use up the other changes'. */
const guarantees: Partial<Record<AccountChange, MemberEmail['guarantee']>> = {
  email_changed: 'email_changed',
  login_notifications_off: 'login_notifications_off',
  only_approved_on: 'browsers',
  only_approved_off: 'browsers',
  browser_approved: 'browsers',
  browser_removed: 'browsers',
  session_shared: 'browsers',
}

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
  // Where two browsers share the session, the one that has not caused the change must see it too.
  const causedBy = change === 'session_shared' ? undefined : sessionId
  await addNotification(tx, core, userId, { kind: 'account_changed', change, sessionId: causedBy, device, address })
  notifyNotificationsChanged(tx, core, userId)
  const to = email ?? (await getUser(tx, userId)).email
  const { language } = await preferencesOf(tx, userId)
  const text = emailTexts[language].accountChanged({
    change,
    browser: device,
    address,
    at: core.clock.now(),
    needsNoPassword: needsNoPassword(change),
  })
  const mail = { to, ...text, account: userId, guarantee: guarantees[change] ?? 'other_change' }
  tx.afterCommit(() => mailMember(core, mail))
}
