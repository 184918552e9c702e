import { limits } from '@privity/contract/limits'
import { type AccountChange, keptKinds } from '@privity/contract/notifications'
import type { Reader, Tx } from '../../core/database/types.ts'
import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'
import type { NotificationRow } from '../../core/database/tables/notifications.ts'

/** A notification with the contact's current name. */
export interface NamedRow extends NotificationRow {
  first_name: string | null
  last_name: string | null
}

const withNames = `select n.*, u.first_name, u.last_name from notifications n left join users u on u.id = n.peer_id`

/** Newest first. Leaves out expired rows that are not deleted yet. */
export const selectPage = (db: Reader, userId: string, before: string, now: number, limit: number) =>
  db.all<NamedRow>(`${withNames} where n.user_id = ? and n.id < ? and n.expires_at > ? order by n.id desc limit ?`, [
    userId,
    before,
    now,
    limit,
  ])

export const selectOne = (db: Reader, id: string) => db.get<NamedRow>(`${withNames} where n.id = ?`, [id])

/** Leaves out what this session caused, such as the sign-in that started it. */
export async function countUnread(db: Reader, userId: string, sessionId: string, now: number): Promise<number> {
  const row = await db.get<{ n: number }>(
    `select count(*) as n from notifications
     where user_id = ? and is_read = 0 and expires_at > ? and (session_id is null or session_id <> ?)`,
    [userId, now, sessionId],
  )
  return row?.n ?? 0
}

export const insertNotification = (tx: Tx, row: NotificationRow) =>
  tx.run(
    `insert into notifications (id, user_id, kind, created_at, expires_at, is_read, connection_id, peer_id, file_id,
       identity_key, decision, session_id, device, address, change, failures)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.user_id,
      row.kind,
      row.created_at,
      row.expires_at,
      row.is_read,
      row.connection_id,
      row.peer_id,
      row.file_id,
      row.identity_key,
      row.decision,
      row.session_id,
      row.device,
      row.address,
      row.change,
      row.failures,
    ],
  )

/** As `isKept` of the contract; its parameter is `keptSince`. */
const isKept = `(kind in (${keptKinds.map((kind) => `'${kind}'`).join(', ')}) and created_at > ?)`
const keptSince = (now: number) => now - limits.accountChangeKept

/** Deletes all but the newest ones of an account and, up to a higher limit, those of changes to it. */
export const deleteOldest = (tx: Tx, userId: string, now: number) => {
  const newest = '(select id from notifications where user_id = ? order by id desc limit 1 offset ?)'
  return tx.run(
    `delete from notifications where user_id = ? and id <= ${newest} and (not ${isKept} or id <= ${newest})`,
    [userId, userId, limits.notificationsKept, keptSince(now), userId, limits.accountChangesKept],
  )
}

/** Deletes earlier notifications of the same change that name the same session, or none if `sessionId` is missing. */
export const deleteSameChange = (tx: Tx, userId: string, change: AccountChange, sessionId: string | undefined) =>
  tx.run("delete from notifications where user_id = ? and change = ? and coalesce(session_id, '') = ?", [
    userId,
    change,
    sessionId ?? '',
  ])

/** Deletes an earlier notification of the same kind about the same file: the new one supersedes it. */
export const deleteSameFile = (tx: Tx, userId: string, kind: string, fileId: string) =>
  tx.run('delete from notifications where user_id = ? and kind = ? and file_id = ?', [userId, kind, fileId])

export const selectKeyChange = (tx: Reader, userId: string, connectionId: string, identityKey: string) =>
  tx.get<{ id: string }>(
    "select id from notifications where user_id = ? and kind = 'key_changed' and connection_id = ? and identity_key = ?",
    [userId, connectionId, identityKey],
  )

export function setRead(tx: Tx, userId: string, ids: readonly string[] | undefined) {
  const all = 'update notifications set is_read = 1 where user_id = ? and is_read = 0'
  if (ids === undefined) return tx.run(all, [userId])
  const padded = padToPowerOfTwo(ids)
  return tx.run(`${all} and id in (${placeholders(padded)})`, [userId, ...padded])
}

export const setFileRequestRead = (tx: Tx, userId: string, fileId: string) =>
  tx.run(
    "update notifications set is_read = 1 where user_id = ? and kind = 'file_requested' and file_id = ? and is_read = 0",
    [userId, fileId],
  )

export const deleteOwn = (tx: Tx, userId: string, newest: string, now: number) =>
  tx.run(`delete from notifications where user_id = ? and id <= ? and not ${isKept}`, [userId, newest, keptSince(now)])

export const deleteOne = (tx: Tx, userId: string, id: string) =>
  tx.run('delete from notifications where user_id = ? and id = ?', [userId, id])

export const deleteOfFile = (tx: Tx, userId: string, fileId: string) =>
  tx.run('delete from notifications where user_id = ? and file_id = ?', [userId, fileId])

export const deleteOfConnection = (tx: Tx, connectionId: string) =>
  tx.run('delete from notifications where connection_id = ?', [connectionId])

export const deleteOfRequest = (tx: Tx, fromId: string, toId: string) =>
  tx.run("delete from notifications where user_id = ? and peer_id = ? and kind = 'connection_requested'", [
    toId,
    fromId,
  ])
