import type { Reader, Tx } from '../../core/database/types.ts'
import type { FounderReportKeyRow } from '../../core/database/tables/founder.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import { isParticipant } from '../connections/membership.ts'

/** The founder's newest report key; older ones only open earlier reports. */
export const selectReportKey = (db: Reader) =>
  db.get<Pick<FounderReportKeyRow, 'id' | 'public_key'>>(
    'select id, public_key from founder_report_keys order by created_at desc, id desc limit 1',
  )

type Reportable = Pick<MessageRow, 'id' | 'sender_id' | 'connection_id' | 'created_at' | 'expires_at'>

/** The message, if it has neither expired nor been deleted, and the reporter is its recipient. */
export const selectReportable = (
  db: Reader,
  { messageId, reporterId, now }: { messageId: string; reporterId: string; now: number },
) =>
  db.get<Reportable>(
    `select m.id, m.sender_id, m.connection_id, m.created_at, m.expires_at
     from messages m join connections c on c.id = m.connection_id
     where m.id = ? and m.expires_at > ? and m.deletion is null and m.sender_id <> ? and ${isParticipant}`,
    [messageId, now, reporterId, reporterId, reporterId],
  )

/** A message has one recipient, so one report is enough. */
export const isReported = async (db: Reader, messageId: string): Promise<boolean> =>
  (await db.get("select 1 from message_flags where message_id = ? and rule = 'report'", [messageId])) !== undefined

export interface NewReport {
  id: string
  message: Reportable
  reporterId: string
  sealed: string
  keyId: string
  now: number
  expiresAt: number
}

export const insertReport = (tx: Tx, { id, message, reporterId, sealed, keyId, now, expiresAt }: NewReport) =>
  tx.run(
    `insert into message_flags (id, rule, message_id, sender_id, connection_id, sent_at, sent_until, reporter_id,
       sealed_report, report_key_id, flagged_at, expires_at)
     values (?, 'report', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      id,
      message.id,
      message.sender_id,
      message.connection_id,
      message.created_at,
      message.expires_at,
      reporterId,
      sealed,
      keyId,
      now,
      expiresAt,
    ],
  )
