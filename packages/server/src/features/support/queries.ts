import type { Reader, Tx } from '../../core/database/types.ts'
import { isUnclaimed } from '../../core/cluster/registry.ts'
import type { SupportRequestRow } from '../../core/database/tables/founder.ts'
import type { UserRow } from '../../core/database/tables/users.ts'

export const selectOwnRequests = (db: Reader, userId: string, limit: number) =>
  db.all<SupportRequestRow>(
    'select * from support_requests where user_id = ? order by created_at desc, id desc limit ?',
    [userId, limit],
  )

export const selectByClientId = (db: Reader, userId: string, clientId: string) =>
  db.get<SupportRequestRow>('select * from support_requests where user_id = ? and client_id = ?', [userId, clientId])

export const selectByReference = (db: Reader, reference: string) =>
  db.get('select 1 from support_requests where reference = ?', [reference])

export const insertRequest = (tx: Tx, row: SupportRequestRow) =>
  tx.run(
    `insert into support_requests (id, user_id, client_id, reference, category, priority, subject, message, state,
       created_at, mailed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.user_id,
      row.client_id,
      row.reference,
      row.category,
      row.priority,
      row.subject,
      row.message,
      row.state,
      row.created_at,
      row.mailed_at,
    ],
  )

export type Author = Pick<UserRow, 'username' | 'email' | 'first_name' | 'last_name'>

/** `process` is the id of the calling process; '' if there is only one. */
export const selectNotMailed = (db: Reader, since: number, limit: number, process: string) =>
  db.all<SupportRequestRow & Author>(
    `select r.*, u.username, u.email, u.first_name, u.last_name
     from support_requests r join users u on u.id = r.user_id
     where r.mailed_at is null and r.created_at > ? and ${isUnclaimed} order by r.created_at limit ?`,
    [since, process, limit],
  )

export const claimRequest = (tx: Tx, id: string, process: string) =>
  tx.run(`update support_requests set process = ? where id = ? and mailed_at is null and ${isUnclaimed}`, [
    process,
    id,
    process,
  ])

export const markMailed = (tx: Tx, id: string, at: number) =>
  tx.run('update support_requests set mailed_at = ? where id = ?', [at, id])
