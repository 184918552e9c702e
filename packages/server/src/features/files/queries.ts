import type { Reader, Tx } from '../../core/database/types.ts'
import { isUnclaimed } from '../../core/cluster/registry.ts'
import type { FileAuthorizationRow, FileRow, UploadRow } from '../../core/database/tables/files.ts'

export const insertUpload = (tx: Tx, id: string, ownerId: string, now: number, expiresAt: number) =>
  tx.run('insert into uploads (id, owner_id, created_at, expires_at) values (?, ?, ?, ?)', [
    id,
    ownerId,
    now,
    expiresAt,
  ])

/**
 * Uses up an upload address, for at most `size` bytes. Changes no row if it is not the user's own, used, or expired.
 */
export const startUpload = (tx: Tx, id: string, ownerId: string, size: number, now: number, process: string | null) =>
  tx.run(
    `update uploads set started_at = ?, size = ?, process = ?
     where id = ? and owner_id = ? and started_at is null and expires_at > ?`,
    [now, size, process, id, ownerId, now],
  )

/** Whether startUpload would accept this address now. */
export const isOpenUpload = async (tx: Reader, id: string, ownerId: string, now: number): Promise<boolean> =>
  (await tx.get('select 1 from uploads where id = ? and owner_id = ? and started_at is null and expires_at > ?', [
    id,
    ownerId,
    now,
  ])) !== undefined

/**
 * Bytes of this user: `unsent` are arriving or not sent yet, `all` includes sent files. Expired files count until they
 * are destroyed, because they take up space until then.
 */
export async function sumBytes(tx: Reader, ownerId: string): Promise<{ unsent: number; all: number }> {
  const row = await tx.get<{ uploads: number; unsent: number; sent: number }>(
    `select cast((select coalesce(sum(size), 0) from uploads where owner_id = ?) as bigint) as uploads,
       cast(coalesce(sum(case when message_id is null then size else 0 end), 0) as bigint) as unsent,
       cast(coalesce(sum(case when message_id is null then 0 else size end), 0) as bigint) as sent
     from files where owner_id = ?`,
    [ownerId, ownerId],
  )
  const { uploads, unsent, sent } = row ?? { uploads: 0, unsent: 0, sent: 0 }
  return { unsent: uploads + unsent, all: uploads + unsent + sent }
}

export const finishUpload = (tx: Tx, id: string, size: number, now: number) =>
  tx.run('update uploads set size = ?, finished_at = ? where id = ?', [size, now, id])

export const deleteUpload = (tx: Tx, id: string) => tx.run('delete from uploads where id = ?', [id])

export const selectFinishedUpload = (tx: Reader, id: string, ownerId: string, finishedAfter: number) =>
  tx.get<UploadRow & { size: number }>('select * from uploads where id = ? and owner_id = ? and finished_at > ?', [
    id,
    ownerId,
    finishedAfter,
  ])

export const insertFile = (tx: Tx, id: string, ownerId: string, size: number, now: number, expiresAt: number) =>
  tx.run('insert into files (id, owner_id, size, created_at, expires_at) values (?, ?, ?, ?, ?)', [
    id,
    ownerId,
    size,
    now,
    expiresAt,
  ])

export const selectOwnFile = (tx: Reader, id: string, ownerId: string, now: number) =>
  tx.get<FileRow>('select * from files where id = ? and owner_id = ? and expires_at > ?', [id, ownerId, now])

export const attachFile = (tx: Tx, id: string, messageId: string, connectionId: string, expiresAt: number) =>
  tx.run('update files set message_id = ?, connection_id = ?, expires_at = ? where id = ?', [
    messageId,
    connectionId,
    expiresAt,
    id,
  ])

export const setEnded = (tx: Tx, id: string, expiresAt: number) =>
  tx.run('update files set expires_at = ? where id = ?', [expiresAt, id])

export const deleteFile = (tx: Tx, id: string) => tx.run('delete from files where id = ?', [id])

export interface SentFile extends FileRow {
  message_id: string
  connection_id: string
}

export const selectSentFile = (db: Reader, id: string, now: number) =>
  db.get<SentFile>('select * from files where id = ? and message_id is not null and expires_at > ?', [id, now])

export const selectAuthorization = (db: Reader, fileId: string, requesterId: string) =>
  db.get<FileAuthorizationRow>('select * from file_authorizations where file_id = ? and requester_id = ?', [
    fileId,
    requesterId,
  ])

/** Finds the authorization only while its file and its connection exist. */
export const selectOwnAuthorization = (db: Reader, id: string, ownerId: string, now: number) =>
  db.get<FileAuthorizationRow & { file_expires_at: number }>(
    `select a.*, f.expires_at as file_expires_at from file_authorizations a
       join files f on f.id = a.file_id
       join connections c on c.id = a.connection_id
     where a.id = ? and a.owner_id = ? and f.expires_at > ?`,
    [id, ownerId, now],
  )

export interface NewRequest {
  id: string
  fileId: string
  connectionId: string
  ownerId: string
  requesterId: string
  now: number
}

/**
 * Marks downloads under way of a used-up authorization as finished: they may end, and are never released into a later
 * one.
 */
const finishDownloads = (tx: Tx, authorizationId: string, now: number) =>
  tx.run('update file_downloads set finished_at = ? where authorization_id = ? and finished_at is null', [
    now,
    authorizationId,
  ])

/**
 * Requests for the first time, or again after the downloads are used up: under the same id, with its decision reset.
 */
export async function putRequest(tx: Tx, request: NewRequest): Promise<void> {
  const { id, fileId, connectionId, ownerId, requesterId, now } = request
  await finishDownloads(tx, id, now)
  await tx.run(
    `insert into file_authorizations (id, file_id, connection_id, owner_id, requester_id, status, requested_at)
     values (?, ?, ?, ?, ?, 'pending', ?)
     on conflict (id) do update set status = 'pending', requested_at = excluded.requested_at, decided_at = null,
       downloads_left = 0, grant_epoch_to = null, grant_sealed_key = null, grant_signature = null`,
    [id, fileId, connectionId, ownerId, requesterId, now],
  )
}

export type AuthorizationUpdate = { decided_at: number } & Pick<
  FileAuthorizationRow,
  'status' | 'downloads_left' | 'grant_epoch_to' | 'grant_sealed_key' | 'grant_signature' | 'used_grants'
>

/**
 * A denial deletes the reservations of downloads under way, which then do not get the end. Downloads of an older
 * authorization are not released into a new one.
 */
export async function updateAuthorization(tx: Tx, id: string, decision: AuthorizationUpdate): Promise<void> {
  if (decision.status === 'authorized') await finishDownloads(tx, id, decision.decided_at)
  if (decision.status === 'denied') await tx.run('delete from file_downloads where authorization_id = ?', [id])
  await tx.run(
    `update file_authorizations set status = ?, decided_at = ?, downloads_left = ?, grant_epoch_to = ?,
       grant_sealed_key = ?, grant_signature = ?, used_grants = ? where id = ?`,
    [
      decision.status,
      decision.decided_at,
      decision.downloads_left,
      decision.grant_epoch_to,
      decision.grant_sealed_key,
      decision.grant_signature,
      decision.used_grants,
      id,
    ],
  )
}

export interface RequestRow {
  id: string
  file_id: string
  connection_id: string
  requester_id: string
  requested_at: number
  first_name: string
  last_name: string
  email: string
  seq: number
  file_name: string
  file_key: string
  owner_epoch: number
}

const requests = `
  select a.id, a.file_id, a.connection_id, a.requester_id, a.requested_at, u.first_name, u.last_name, u.email,
    m.seq, m.file_name, m.file_key, e.epoch_from as owner_epoch
  from file_authorizations a
    join connections c on c.id = a.connection_id
    join files f on f.id = a.file_id
    join messages m on m.id = f.message_id
    join envelopes e on e.id = m.envelope_id
    join users u on u.id = a.requester_id
  where a.owner_id = ? and a.status = 'pending' and f.expires_at > ?`

export const selectPending = (db: Reader, ownerId: string, now: number) =>
  db.all<RequestRow>(`${requests} order by a.requested_at, a.id`, [ownerId, now])

export const selectPendingOne = (db: Reader, id: string, ownerId: string, now: number) =>
  db.get<RequestRow>(`${requests} and a.id = ?`, [ownerId, now, id])

/**
 * Reserves one of the authorized downloads. The authorization sets their number (`downloadLimit`); this statement alone
 * takes from it. Returns false if none is left. Two concurrent calls cannot reserve the same one, because one statement
 * of a serializable transaction checks and decrements the count.
 */
export async function reserveDownload(
  tx: Tx,
  authorizationId: string,
  reservation: { id: string; now: number; process: string | null },
): Promise<boolean> {
  const { changes } = await tx.run(
    `update file_authorizations set downloads_left = downloads_left - 1
     where id = ? and status = 'authorized' and downloads_left > 0`,
    [authorizationId],
  )
  if (changes === 0) return false
  await tx.run('insert into file_downloads (id, authorization_id, started_at, process) values (?, ?, ?, ?)', [
    reservation.id,
    authorizationId,
    reservation.now,
    reservation.process,
  ])
  return true
}

export const finishDownload = (tx: Tx, id: string, now: number) =>
  tx.run('update file_downloads set finished_at = ? where id = ?', [now, id])

/** Releases an unfinished download, once; changes no row if its authorization was decided anew since. */
export async function releaseDownload(tx: Tx, id: string) {
  const row = await tx.get<{ authorization_id: string }>(
    'delete from file_downloads where id = ? and finished_at is null returning authorization_id',
    [id],
  )
  if (row === undefined) return { changes: 0 }
  return tx.run('update file_authorizations set downloads_left = downloads_left + 1 where id = ?', [
    row.authorization_id,
  ])
}

/** Unfinished downloads of this process, and of processes that are gone. */
export const selectUnfinishedDownloads = (tx: Reader, process: string) =>
  tx.all<{ id: string }>(`select id from file_downloads where finished_at is null and ${isUnclaimed}`, [process])

/** Uploads never started in time, cut off, or not registered and finished before `earliest` or after `latest`. */
export const selectStaleUploads = (
  tx: Reader,
  { now, earliest, latest, process }: { now: number; earliest: number; latest: number; process: string },
) =>
  tx.all<{ id: string }>(
    `select id from uploads where (started_at is null and expires_at <= ?)
       or (started_at is not null and finished_at is null and ${isUnclaimed}) or finished_at <= ? or finished_at > ?`,
    [now, process, earliest, latest],
  )

export async function isKnownObject(tx: Reader, id: string): Promise<boolean> {
  const row = await tx.get('select 1 from uploads where id = ? union all select 1 from files where id = ?', [id, id])
  return row !== undefined
}
