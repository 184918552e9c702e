import type { Reader, Tx } from '../../core/database/types.ts'
import type { FormerContactRow } from '../../core/database/tables/connections.ts'

/** Latest first. Leaves out expired rows that are not deleted yet. */
export const selectFormer = (db: Reader, userId: string, now: number) =>
  db.all<FormerContactRow>(
    'select * from former_contacts where user_id = ? and expires_at > ? order by ended_at desc, contact_id',
    [userId, now],
  )

export const putFormer = (tx: Tx, row: FormerContactRow) =>
  tx.run(
    `insert into former_contacts (user_id, contact_id, first_name, last_name, ended_at, expires_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (user_id, contact_id) do update set first_name = excluded.first_name,
       last_name = excluded.last_name, ended_at = excluded.ended_at, expires_at = excluded.expires_at`,
    [row.user_id, row.contact_id, row.first_name, row.last_name, row.ended_at, row.expires_at],
  )

/** Deletes and returns a former contact, so that only one of two concurrent calls gets it. */
export const takeFormer = (tx: Tx, userId: string, contactId: string, now: number) =>
  tx.get<FormerContactRow>(
    'delete from former_contacts where user_id = ? and contact_id = ? and expires_at > ? returning *',
    [userId, contactId, now],
  )

export const deleteFormerPair = (tx: Tx, one: string, other: string) =>
  tx.run('delete from former_contacts where (user_id = ? and contact_id = ?) or (user_id = ? and contact_id = ?)', [
    one,
    other,
    other,
    one,
  ])

export const deleteExpiredFormer = (tx: Tx, now: number) =>
  tx.run('delete from former_contacts where expires_at <= ?', [now])
