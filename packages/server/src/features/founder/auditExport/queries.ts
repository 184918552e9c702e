import type { Reader } from '../../../core/database/types.ts'
import type { AuditRow } from '../../../core/database/tables/audit.ts'
import type { SecurityEventRow } from '../../../core/database/tables/security.ts'

/** The position where reading continues: only older rows, or equally old ones with a smaller id. */
export interface PagePosition<Id> {
  at: number
  id: Id
}

export type EntryRow = AuditRow & { salt: string | null; address: string | null; previous: string | null }

export const selectEntriesBefore = (
  db: Reader,
  range: { from: number; upTo: number },
  { at, id }: PagePosition<number>,
  limit: number,
) =>
  db.all<EntryRow>(
    `select l.*, salt, address, (select hash from audit_log p where p.seq = l.seq - 1) as previous
     from audit_log l left join audit_addresses using (seq)
     where l.created_at >= ? and (l.created_at, l.seq) < (?, ?) and l.seq <= ?
     order by l.created_at desc, l.seq desc limit ?`,
    [range.from, at, id, range.upTo, limit],
  )

export const selectEventsBefore = (
  db: Reader,
  range: { from: number; eventType: string | null },
  { at, id }: PagePosition<string>,
  limit: number,
) =>
  db.all<SecurityEventRow>(
    `select * from security_events where created_at >= ? and (created_at, id) < (?, ?)
     ${range.eventType === null ? '' : 'and event_type = ?'} order by created_at desc, id desc limit ?`,
    range.eventType === null ? [range.from, at, id, limit] : [range.from, at, id, range.eventType, limit],
  )
