import type { Reader, Tx } from '../../../core/database/types.ts'
import type { PeopleCountRow } from '../../../core/database/tables/founder.ts'
import type { SecurityEventRow } from '../../../core/database/tables/security.ts'

async function count(db: Reader, sql: string, params: readonly (string | number)[]): Promise<number> {
  const row = await db.get<{ counted: number | null }>(sql, params)
  return row?.counted ?? 0
}

const batchSize = 100

/** Counts users active since then, each once. `unsavedUsers` were too, although their latest use is not stored yet. */
export async function countActiveUsers(db: Reader, since: number, unsavedUsers: readonly string[]): Promise<number> {
  const active = 'select count(distinct user_id) as counted from sessions where last_used_at > ?'
  let counted = await count(db, active, [since])
  const ids = [...new Set(unsavedUsers)]
  for (let index = 0; index < ids.length; index += batchSize) {
    const batch = ids.slice(index, index + batchSize)
    // Pads to a fixed number of placeholders, so that the statement is always the same; a repeated id is counted once.
    const padded = [...batch, ...Array.from({ length: batchSize - batch.length }, () => batch[0] as string)]
    const known = await count(db, `${active} and user_id in (${padded.map(() => '?').join(', ')})`, [since, ...padded])
    counted += batch.length - known
  }
  return counted
}

/** Leaves out sessions unused for too long, which are about to end. */
export const countSessions = (db: Reader, now: number) =>
  count(
    db,
    `select sessions - (select count(*) from sessions where last_used_at + idle_limit <= ?) as counted
     from session_counts`,
    [now],
  )

export const countConnections = (db: Reader, firstMinute: number) =>
  count(db, 'select cast(sum(connections) as bigint) as counted from connection_minutes where minute >= ?', [
    firstMinute,
  ])

export type RecentRow = Pick<
  SecurityEventRow,
  'id' | 'severity' | 'event_type' | 'event_description' | 'created_at'
> & { username: string | null }

export const selectRecentEvents = (db: Reader, limit: number) =>
  db.all<RecentRow>(
    `select e.id, e.severity, e.event_type, e.event_description, e.created_at, u.username
     from security_events e left join users u on u.id = e.user_id
     order by e.created_at desc, e.rowid desc limit ?`,
    [limit],
  )

export const selectPeople = (db: Reader) => db.all<PeopleCountRow>('select * from people_counts where users > 0')

export const deleteConnectionMinutes = (tx: Tx, before: number) =>
  tx.run('delete from connection_minutes where minute < ?', [before])
