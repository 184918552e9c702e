import type { Reader, Tx } from '../../../core/db.ts'
import type { PeopleCountRow } from '../../../core/rows/monitoring.ts'
import type { SecurityEventRow } from '../../../core/schema.ts'

async function count(db: Reader, sql: string, params: readonly (string | number)[]): Promise<number> {
  const row = await db.get<{ counted: number | null }>(sql, params)
  return row?.counted ?? 0
}

/** Users who did something since then; `others` are ids of users who did, which may be among them. */
export const countActiveUsers = (db: Reader, since: number, others: readonly string[]) =>
  count(
    db,
    `select count(*) as counted from (
       select user_id from sessions where last_used_at > ? union select value from json_each(?))`,
    [since, JSON.stringify(others)],
  )

/** Without those that lay unused for too long and are about to be ended. */
export const countSessions = (db: Reader, now: number) =>
  count(
    db,
    `select sessions - (select count(*) from sessions where last_used_at + idle_limit <= ?) as counted
     from session_counts`,
    [now],
  )

export const countConnections = (db: Reader, firstMinute: number) =>
  count(db, 'select sum(connections) as counted from connection_minutes where minute >= ?', [firstMinute])

export type RecentRow = Pick<
  SecurityEventRow,
  'id' | 'severity' | 'event_type' | 'event_description' | 'created_at'
> & { username: string | null }

export const selectRecentEvents = (db: Reader, most: number) =>
  db.all<RecentRow>(
    `select e.id, e.severity, e.event_type, e.event_description, e.created_at, u.username
     from security_events e left join users u on u.id = e.user_id
     order by e.created_at desc, e.rowid desc limit ?`,
    [most],
  )

export const selectPeople = (db: Reader) => db.all<PeopleCountRow>('select * from people_counts where users > 0')

export const deleteConnectionMinutes = (tx: Tx, before: number) =>
  tx.run('delete from connection_minutes where minute < ?', [before])
