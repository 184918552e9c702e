import { filePathOf } from '@privity/contract/fileRef'
import { limits } from '@privity/contract/limits'
import type { AccountChange, Notification } from '@privity/contract/notifications'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import type { NotificationRow } from '../../core/database/tables/notifications.ts'
import {
  deleteOfConnection,
  deleteOfFile,
  deleteOfRequest,
  deleteOldest,
  deleteSameFile,
  deleteSameChange,
  insertNotification,
  type NamedRow,
  selectOne,
  setFileRequestRead,
} from './queries.ts'

interface FileContent {
  connectionId: string
  peerId: string
  fileId: string
  /** Expiry of the file: its notifications expire with it. */
  fileExpiresAt: number
}

/** The content of a notification. Ids only: never a message, never a file's name. */
export type NewNotification =
  | { kind: 'connection_created'; connectionId: string; peerId: string }
  | { kind: 'connection_requested'; peerId: string; requestExpiresAt: number }
  | ({ kind: 'file_requested' } & FileContent)
  | ({ kind: 'file_decided'; decision: 'approved' | 'denied' | 'revoked' } & FileContent)
  | { kind: 'key_changed'; connectionId: string; peerId: string; identityKey: string }
  | { kind: 'second_factor_reset' }
  | { kind: 'account_changed'; change: AccountChange; sessionId: string | undefined; device: string; address: string }
  | { kind: 'account_locked'; failures: number; address: string }
  /** Stored as read unless `isNews`: the browser is new to the account, or sign-ins have failed before this one. */
  | { kind: 'signed_in'; sessionId: string; device: string; address: string; isNews: boolean; failures: number }

/** A notification as the session `sessionId` sees it; undefined while the contact's account is being deleted. */
export function toNotification(row: NamedRow, sessionId?: string): Notification | undefined {
  const { id, created_at: createdAt } = row
  const failures = row.failures ?? 0
  if (row.kind === 'account_locked')
    return { kind: row.kind, id, createdAt, read: row.is_read === 1, failures, address: row.address ?? '' }
  if (row.kind === 'signed_in' || row.kind === 'account_changed') {
    const current = row.session_id === sessionId
    const session = { current, device: row.device ?? '', address: row.address ?? '' }
    const shared = { id, createdAt, read: row.is_read === 1 || current, ...session }
    if (row.kind === 'signed_in') return { kind: row.kind, ...shared, sessionId: row.session_id ?? '', failures }
    const change = row.change ?? 'password_changed'
    return { kind: row.kind, ...shared, sessionId: row.session_id ?? undefined, change }
  }
  if (row.kind === 'second_factor_reset') return { kind: row.kind, id, createdAt, read: row.is_read === 1 }
  const { connection_id: connectionId, peer_id, first_name, last_name } = row
  if (peer_id === null || first_name === null || last_name === null) return undefined
  const who = { id: peer_id, firstName: first_name, lastName: last_name }
  if (row.kind === 'connection_requested') return { kind: row.kind, id, createdAt, read: row.is_read === 1, who }
  if (connectionId === null) return undefined
  const shared = { id, createdAt, read: row.is_read === 1, connectionId, who }
  if (row.kind === 'connection_created' || row.kind === 'key_changed') return { kind: row.kind, ...shared }
  const filePath = filePathOf(row.file_id ?? '')
  if (row.kind === 'file_requested') return { kind: row.kind, ...shared, filePath }
  return { kind: row.kind, ...shared, filePath, decision: row.decision ?? 'denied' }
}

/** A notification expires with its file or its request. */
function expiryOf(content: NewNotification, now: number): number {
  const expiresAt = now + limits.notificationAge
  if ('fileExpiresAt' in content) return Math.min(expiresAt, content.fileExpiresAt)
  return 'requestExpiresAt' in content ? content.requestExpiresAt : expiresAt
}

function toRow(userId: string, content: NewNotification, now: number): NotificationRow {
  return {
    id: newId(now),
    user_id: userId,
    kind: content.kind,
    created_at: now,
    expires_at: expiryOf(content, now),
    is_read: content.kind === 'signed_in' && !content.isNews ? 1 : 0,
    connection_id: 'connectionId' in content ? content.connectionId : null,
    peer_id: 'peerId' in content ? content.peerId : null,
    file_id: 'fileId' in content ? content.fileId : null,
    identity_key: 'identityKey' in content ? content.identityKey : null,
    decision: 'decision' in content ? content.decision : null,
    session_id: 'sessionId' in content ? (content.sessionId ?? null) : null,
    device: 'device' in content ? content.device : null,
    address: 'address' in content ? content.address : null,
    change: 'change' in content ? content.change : null,
    failures: 'failures' in content ? content.failures : null,
  }
}

/** Changes that can be repeated at will: the newest takes the place of those before, and pushes no other one out. */
const replacedChanges: readonly AccountChange[] = ['login_notifications_off', 'session_shared']

/**
 * Stores a notification in the transaction that causes it, and sends it to the user's open tabs once that is durable.
 * Outside a server there are no sockets, and it is only stored.
 */
export async function addNotification(
  tx: Tx,
  { clock, sockets }: Pick<Core, 'clock'> & Partial<Pick<Core, 'sockets'>>,
  userId: string,
  content: NewNotification,
): Promise<void> {
  const row = toRow(userId, content, clock.now())
  if ('fileId' in content) await deleteSameFile(tx, userId, content.kind, content.fileId)
  if ('change' in content && replacedChanges.includes(content.change))
    await deleteSameChange(tx, userId, content.change, content.sessionId)
  await insertNotification(tx, row)
  await deleteOldest(tx, userId, row.created_at)
  const stored = await selectOne(tx, row.id)
  const notification = stored === undefined ? undefined : toNotification(stored)
  if (notification === undefined) return
  // The session that caused it needs no notification.
  const causingSession = 'sessionId' in content ? content.sessionId : undefined
  tx.afterCommit(() => sockets?.notify(userId, { type: 'notification', notification }, causingSession))
}

/** Notifies every tab of the user that their list has changed. */
export const notifyNotificationsChanged = (tx: Tx, core: Core, userIds: string | readonly string[]): void =>
  tx.afterCommit(() => core.sockets.notify(userIds, { type: 'notifications_changed' }))

/** Marks the owner's notification as read once they have decided the request. */
export async function markFileRequestRead(tx: Tx, core: Core, ownerId: string, fileId: string): Promise<void> {
  const { changes } = await setFileRequestRead(tx, ownerId, fileId)
  if (changes > 0) notifyNotificationsChanged(tx, core, ownerId)
}

/** Deletes the notifications about a file, of both participants. */
export async function deleteFileNotifications(
  tx: Tx,
  core: Core,
  fileId: string,
  userIds: readonly string[],
): Promise<void> {
  for (const userId of userIds) {
    const { changes } = await deleteOfFile(tx, userId, fileId)
    if (changes > 0) notifyNotificationsChanged(tx, core, userId)
  }
}

/** Deletes the notification of a request for a connection. */
export async function deleteRequestNotification(tx: Tx, core: Core, fromId: string, toId: string): Promise<void> {
  const { changes } = await deleteOfRequest(tx, fromId, toId)
  if (changes > 0) notifyNotificationsChanged(tx, core, toId)
}

/** Deletes the notifications about a connection, of both participants. */
export async function deleteConnectionNotifications(
  tx: Tx,
  core: Core,
  connectionId: string,
  userIds: readonly string[],
): Promise<void> {
  const { changes } = await deleteOfConnection(tx, connectionId)
  if (changes > 0) notifyNotificationsChanged(tx, core, userIds)
}
