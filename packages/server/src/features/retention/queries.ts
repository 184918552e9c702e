import type { Reader, Tx } from '../../core/database/types.ts'

/** Rows of one table with a date that a clock can have set too late; `only` is a condition in SQL. */
export interface Dated {
  table:
    | 'messages'
    | 'envelopes'
    | 'files'
    | 'message_flags'
    | 'notifications'
    | 'connection_requests'
    | 'former_contacts'
    | 'security_events'
    | 'audit_addresses'
  /** Columns of the primary key. */
  key?: string
  date?: 'expires_at' | 'created_at'
  only?: string
}

/** Sets dates later than `latest` to `date`. */
export const bringForward = (
  tx: Tx,
  { table, key = 'id', date: column = 'expires_at', only = 'true' }: Dated,
  { latest, date }: { latest: number; date: number },
  limit: number,
) =>
  tx.run(
    `update ${table} set ${column} = ? where (${key}) in
       (select ${key} from ${table} where ${column} > ? and ${only} order by ${column} desc limit ?)`,
    [date, latest, limit],
  )

interface Id {
  id: string
}

/**
 * Claims expired files by setting `expires_at` to -now. Because that is a write, a send in another process at the same
 * moment either comes first or finds the file expired. Files not claimed yet come first and the latest claim comes
 * last, so that a file that cannot be destroyed does not hold up the rest.
 */
export const claimExpiredFiles = (tx: Tx, now: number, limit: number) =>
  tx.all<Id>(
    `update files set expires_at = ?
     where id in (select id from files where expires_at <= ? order by expires_at desc limit ?) returning id`,
    [-now, now, limit],
  )

export const selectFilesOf = (tx: Reader, connectionId: string, limit: number) =>
  tx.all<Id>('select id from files where connection_id = ? limit ?', [connectionId, limit])

export const deleteMessagesOf = (tx: Tx, connectionId: string, limit: number) =>
  tx.run('delete from messages where id in (select id from messages where connection_id = ? limit ?)', [
    connectionId,
    limit,
  ])

export const deleteEnvelopesOf = (tx: Tx, connectionId: string, limit: number) =>
  tx.run('delete from envelopes where id in (select id from envelopes where connection_id = ? limit ?)', [
    connectionId,
    limit,
  ])

export const selectRemovedConnections = (db: Reader) => db.all<Id>('select id from removed_connections')

export const deleteRemovedConnection = (tx: Tx, id: string) =>
  tx.run('delete from removed_connections where id = ?', [id])
