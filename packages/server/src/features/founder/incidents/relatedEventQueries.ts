import type { Reader } from '../../../core/database/types.ts'
import type { SecurityEventRow } from '../../../core/database/tables/security.ts'
import type { EntryWithAddress } from '../../auditLogs/view.ts'

/** A period that includes both ends. */
export interface Period {
  from: number
  to: number
}

/** The last entry of the previous page. Within a millisecond, events are listed before audit entries. */
export interface Cursor {
  at: number
  source: 'a' | 'e'
  id: string
}

export const firstCursor = ({ to }: Period): Cursor => ({ at: to + 1, source: 'a', id: '0' })

const entryBefore = ({ at, source, id }: Cursor) => [at, source === 'a' ? Number(id) : Number.MAX_SAFE_INTEGER]
const eventBefore = ({ at, source, id }: Cursor) => [at, source === 'e' ? id : '']

/** Leaves out the entry that an event was reported: the event itself has more information. */
const entries = (where: string) => `
  select audit_log.*, salt, address from audit_log left join audit_addresses using (seq)
  where ${where} and action <> 'security_event_reported'`

export type Select<Row> = (db: Reader, subject: string, period: Period, before: Cursor, limit: number) => Promise<Row[]>

const byPerson =
  (column: 'actor_id' | 'target_id'): Select<EntryWithAddress> =>
  (db, userId, { from }, before, limit) =>
    db.all(
      `${entries(`${column} = ? ${column === 'target_id' ? 'and target_id is distinct from actor_id' : ''}`)}
         and audit_log.created_at >= ? and (audit_log.created_at, seq) < (?, ?)
       order by audit_log.created_at desc, seq desc limit ?`,
      [userId, from, ...entryBefore(before), limit],
    )

export const selectEntriesBy = byPerson('actor_id')
export const selectEntriesOn = byPerson('target_id')

export const selectEntriesFrom: Select<EntryWithAddress> = (db, address, { from }, before, limit) =>
  db.all(
    `select audit_log.*, salt, address from audit_addresses join audit_log using (seq)
     where address = ? and action <> 'security_event_reported'
       and audit_addresses.created_at >= ? and (audit_addresses.created_at, audit_addresses.seq) < (?, ?)
     order by audit_addresses.created_at desc, audit_addresses.seq desc limit ?`,
    [address, from, ...entryBefore(before), limit],
  )

/** Leaves out locks of users' accounts, which are in the audit log too. */
const eventsBy =
  (column: 'user_id' | 'address'): Select<SecurityEventRow> =>
  (db, subject, { from }, before, limit) =>
    db.all(
      `select * from security_events where ${column} = ? and created_at >= ? and (created_at, id) < (?, ?)
         and (user_id is null or event_type <> 'account_locked')
       order by created_at desc, id desc limit ?`,
      [subject, from, ...eventBefore(before), limit],
    )

export const selectEventsOf = eventsBy('user_id')
export const selectEventsFrom = eventsBy('address')
