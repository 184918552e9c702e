import type { Reader, Tx } from '../../../core/database/types.ts'
import type { FlagRule, MessageFlagRow } from '../../../core/database/tables/security.ts'
import type { Suspicion } from './findSuspicious.ts'

const scannedUntilSetting = 'messages_scanned_until'

/** 0 before the first scan, and after one whose clock was ahead. */
export async function selectScannedUntil(db: Reader, now: number): Promise<number> {
  const row = await db.get<{ value: string }>('select value from settings where key = ?', [scannedUntilSetting])
  const until = Number(row?.value ?? 0)
  return until > now ? 0 : until
}

export const setScannedUntil = (tx: Tx, until: number) =>
  tx.run('insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value', [
    scannedUntilSetting,
    String(until),
  ])

/**
 * Flags the message, unless it is gone or this rule has flagged it before. Messages of one sender to one person within
 * the same millisecond cannot be told apart: one of them is flagged.
 */
export const insertFlag = (
  tx: Tx,
  id: string,
  { rule, senderId, connectionId, at, expiresAt, amount, repetition }: Suspicion,
  now: number,
) =>
  tx.run(
    `insert into message_flags
       (id, rule, message_id, sender_id, connection_id, sent_at, sent_until, amount, repetition, flagged_at, expires_at)
     select ?, ?, id, sender_id, connection_id, created_at, expires_at, ?, ?, ?, expires_at from messages m
     where expires_at = ? and sender_id = ? and connection_id = ? and created_at = ? and expires_at > ?
       ${repetition === null ? '' : 'and repetition = ?'}
       and not exists (select 1 from message_flags where message_id = m.id and rule = ?) limit 1
     on conflict (message_id, rule) do nothing`,
    [
      ...[id, rule, amount, repetition, now, expiresAt, senderId, connectionId, at, now],
      ...(repetition === null ? [] : [repetition]),
      rule,
    ],
  )

export interface FlaggedRow extends Omit<MessageFlagRow, 'sealed_report' | 'report_key_id'> {
  username: string
  first_name: string
  last_name: string
  reporter_username: string | null
  reporter_first_name: string | null
  reporter_last_name: string | null
}

const open = 'unflagged_at is null and expires_at > ?'

interface FlagFilter {
  /** The last flag of the previous page. */
  before: string | undefined
  rule: FlagRule | undefined
}

/** Newest first. */
export const selectFlagged = (db: Reader, now: number, limit: number, { before, rule }: FlagFilter) =>
  db.all<FlaggedRow>(
    `select f.id, f.rule, f.message_id, f.sender_id, f.connection_id, f.sent_at, f.sent_until, f.amount, f.repetition,
       f.reporter_id, f.flagged_at, f.unflagged_at, f.expires_at, s.username, s.first_name, s.last_name,
       r.username as reporter_username, r.first_name as reporter_first_name, r.last_name as reporter_last_name
     from message_flags f join users s on s.id = f.sender_id left join users r on r.id = f.reporter_id
     where f.unflagged_at is null and f.expires_at > ?
       ${rule === undefined ? '' : 'and f.rule = ?'}
       ${before === undefined ? '' : 'and (f.flagged_at, f.id) < (select flagged_at, id from message_flags where id = ?)'}
     order by f.flagged_at desc, f.id desc limit ?`,
    [now, rule, before, limit].filter((value) => value !== undefined),
  )

/** Open flags by rule, counted in an index. */
export async function countByRule(db: Reader, now: number): Promise<Record<FlagRule, number>> {
  const rows = await db.all<{ rule: FlagRule; flags: number }>(
    `select rule, count(*) as flags from message_flags where ${open} group by rule`,
    [now],
  )
  return { rapid: 0, bulk: 0, repeated: 0, report: 0, ...Object.fromEntries(rows.map((row) => [row.rule, row.flags])) }
}

/** Times of the open flags since `since`, ascending. */
export const selectFlagTimes = (db: Reader, since: number, now: number) =>
  db.all<{ flagged_at: number }>(
    `select flagged_at from message_flags where flagged_at >= ? and ${open} order by flagged_at`,
    [since, now],
  )

export const selectFlag = (db: Reader, id: string, now: number) =>
  db.get<MessageFlagRow>(`select * from message_flags where id = ? and ${open}`, [id, now])

export const setOpened = (tx: Tx, id: string, sessionId: string) =>
  tx.run('update message_flags set opened_in = ? where id = ?', [sessionId, id])

/** Deletes the encrypted report at once; keeps the row as long as the message, so that nothing flags it again. */
export const setUnflagged = (tx: Tx, id: string, now: number) =>
  tx.run(
    `update message_flags set unflagged_at = ?, sealed_report = null, expires_at = sent_until
     where id = ? and ${open}`,
    [now, id, now],
  )

export const selectIdentityKey = (db: Reader, userId: string) =>
  db.get<{ identity_key: string | null }>('select identity_key from users where id = ?', [userId])
