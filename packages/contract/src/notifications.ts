import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { identityKey } from './keys/keys.ts'
import { limits } from './limits.ts'
import { filePath } from './messages/messages.ts'
import { count, id, nothing, pageSize, time } from './values.ts'

const shared = {
  id,
  createdAt: time,
  read: z.boolean().describe('actions of a session count as read for that session'),
}

/** A contact by their current name. */
export const contact = z.object({ id, firstName: z.string(), lastName: z.string() })

const inConnection = { ...shared, connectionId: id, who: contact }

/** Done by a session of one's own. */
const bySession = {
  sessionId: id,
  current: z.boolean().describe('whether it is the session of this call'),
  device: z.string(),
  address: z.string(),
}

/**
 * Changes to the credentials of an account, and to its login notifications. Its owner is notified of each, but once for
 * everything that new keys replace. session_shared: a browser uses a session that has belonged to another one.
 */
export const accountChange = z.enum([
  'password_changed',
  'password_recovered',
  'email_changed',
  'recovery_key_renewed',
  'keys_replaced',
  'passkey_added',
  'passkey_removed',
  'totp_added',
  'totp_replaced',
  'totp_removed',
  'second_factor_switched_off',
  'recovery_codes_renewed',
  'only_approved_on',
  'only_approved_off',
  'browser_approved',
  'browser_removed',
  'session_shared',
  'login_notifications_off',
])
export type AccountChange = z.output<typeof accountChange>

/** A notification about an account. Never content or file names: files are named by their path only. */
export const notification = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connection_created'), ...inConnection }),
  z.object({ kind: z.literal('connection_requested'), ...shared, who: contact }).describe('by a colleague'),
  z.object({ kind: z.literal('file_requested'), ...inConnection, filePath }),
  z.object({
    kind: z.literal('file_decided'),
    ...inConnection,
    filePath,
    decision: z.enum(['approved', 'denied', 'revoked']),
  }),
  z.object({ kind: z.literal('key_changed'), ...inConnection }),
  z.object({ kind: z.literal('second_factor_reset'), ...shared }).describe('by an administrator'),
  z.object({
    kind: z.literal('account_changed'),
    ...shared,
    ...bySession,
    sessionId: id.optional().describe('absent for session_shared, which is shown as news in every session'),
    change: accountChange,
  }),
  z.object({
    kind: z.literal('account_locked'),
    ...shared,
    failures: count.describe('failed sign-ins that led to this lock'),
    address: z.string().describe('address of the last attempt'),
  }),
  z.object({
    kind: z.literal('signed_in'),
    ...shared,
    ...bySession,
    failures: count.describe('failed sign-ins since the sign-in before this one'),
  }),
])
export type Notification = z.output<typeof notification>
export type NotificationKind = Notification['kind']

/** Kinds of changes to an account: whoever made one without its owner must not be able to hide it from them. */
export const keptKinds = ['account_changed', 'second_factor_reset'] as const satisfies readonly NotificationKind[]

/** Whether a notification cannot be removed now. */
export const isKept = ({ kind, createdAt }: Pick<Notification, 'kind' | 'createdAt'>, now: number): boolean =>
  keptKinds.some((kept) => kept === kind) && now - createdAt < limits.accountChangeKept

const unread = count.describe('unread notifications in total, not on this page')

export const notifications = {
  list: endpoint({
    method: 'GET',
    path: '/api/notifications',
    guard: 'member',
    polled: true,
    byItself: true,
    query: z.object({
      limit: pageSize(limits.notificationsKept, limits.notificationsPage),
      before: id.optional().describe('only entries older than this one'),
    }),
    result: z.object({ notifications: z.array(notification), unread, more: z.boolean() }),
    summary: "Notifications about the caller's account in the last 30 days, newest first",
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/api/notifications/read',
    guard: 'member',
    body: z.object({
      ids: z.array(id).min(1).max(limits.notificationsKept).optional().describe('all if absent'),
    }),
    result: z.object({ unread }),
    summary: 'Mark notifications as read',
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/notifications',
    guard: 'member',
    query: z.object({ newest: id.optional().describe('newer notifications are kept') }),
    result: z.object({ unread }),
    summary: 'Remove all notifications but those of changes to the account in the last 7 days',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/notifications/:id',
    guard: 'member',
    params: z.object({ id }),
    result: nothing,
    errors: ['NOT_FOUND', 'NOTIFICATION_KEPT'],
    summary: 'Remove one notification',
  }),
  reportKeyChange: endpoint({
    method: 'POST',
    path: '/api/notifications/key-changes',
    guard: 'member',
    body: z.object({
      connectionId: id,
      identityKey: identityKey.describe('the key that the server returns for the contact'),
    }),
    result: nothing,
    errors: ['CONNECTION_NOT_FOUND'],
    summary: "Store a notification that a contact's key is not the accepted one, which only a browser can detect",
  }),
}
