import type { AlertType } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import type { Reader, Tx } from '../../../core/database/types.ts'
import { retryDelaysMs } from '../../../core/mail/mailer.ts'
import { padToPowerOfTwo } from '../../../core/database/statements.ts'
import { isUnclaimed } from '../../../core/cluster/registry.ts'
import type {
  AlertDeliveryRow,
  AlertRow,
  AlertSettingsRow,
  AlertWindowRow,
} from '../../../core/database/tables/founder.ts'

export const selectSettings = (db: Reader) => db.get<AlertSettingsRow>('select * from alert_settings where id = 1')

export const upsertSettings = (tx: Tx, row: Omit<AlertSettingsRow, 'id'>) =>
  tx.run(
    `insert into alert_settings (id, email_address, sms_phone_number, alert_types, changed_at) values (1, ?, ?, ?, ?)
     on conflict (id) do update set email_address = excluded.email_address,
       sms_phone_number = excluded.sms_phone_number, alert_types = excluded.alert_types,
       changed_at = excluded.changed_at`,
    [row.email_address, row.sms_phone_number, row.alert_types, row.changed_at],
  )

export const insertAlert = (tx: Tx, row: AlertRow) =>
  tx.run(
    `insert into alerts (id, type, kind, subject, address, event_count, held_back, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.id, row.type, row.kind, row.subject, row.address, row.event_count, row.held_back, row.created_at],
  )

export const insertDelivery = (
  tx: Tx,
  alertId: string,
  { channel, next_at, reason }: Pick<AlertDeliveryRow, 'channel' | 'next_at' | 'reason'>,
) =>
  tx.run("insert into alert_deliveries (alert_id, channel, state, reason, next_at) values (?, ?, 'waiting', ?, ?)", [
    alertId,
    channel,
    reason,
    next_at,
  ])

/** Counts text messages of alerts from then on, until `latest`. Tests do not count: the founder asks for them. */
export const countSms = async (db: Reader, since: number, latest: number): Promise<number> =>
  (
    await db.get<{ n: number }>(
      `select count(*) as n from alerts a join alert_deliveries d on d.alert_id = a.id
       where a.created_at > ? and a.created_at <= ? and a.kind <> 'test' and d.channel = 'sms' and d.reason is distinct from 'too_many'`,
      [since, latest],
    )
  )?.n ?? 0

export type DueDelivery = AlertRow & Pick<AlertDeliveryRow, 'channel' | 'failures' | 'reason'>

const dueColumns = 'a.*, d.channel, d.failures, d.reason from alert_deliveries d join alerts a on a.id = d.alert_id'

/** A clock that was ahead dates attempts later than this (ms). */
const maxDelayMs = Math.max(...retryDelaysMs) + limits.clockTolerance

/** `process` is the id of the calling process; '' if there is only one. */
export const selectDue = (db: Reader, channel: AlertDeliveryRow['channel'], now: number, process: string) =>
  db.get<DueDelivery>(
    `select ${dueColumns} where d.state = 'waiting' and d.channel = ? and (d.next_at <= ? or d.next_at > ?) and ${isUnclaimed}
     order by d.next_at, a.id limit 1`,
    [channel, now, now + maxDelayMs, process],
  )

/** Changes no row if another process claimed it first, which then sends it. */
export const claimDelivery = (tx: Tx, { id, channel }: DueDelivery, process: string) =>
  tx.run(
    `update alert_deliveries set process = ?
     where alert_id = ? and channel = ? and state = 'waiting' and ${isUnclaimed}`,
    [process, id, channel, process],
  )

/**
 * Claims the alert about an incident: true if there was none yet, or if the incident flared up again after it was quiet
 * for longer than `burst`.
 */
export async function claimIncident(tx: Tx, id: string, lastSeen: number, burst: number): Promise<boolean> {
  const known = await tx.get<{ last_seen: number }>('select last_seen from told_incidents where id = ?', [id])
  if (known !== undefined && Math.abs(lastSeen - known.last_seen) <= burst) return false
  await tx.run(
    `insert into told_incidents (id, last_seen) values (?, ?)
     on conflict (id) do update set last_seen = excluded.last_seen`,
    [id, lastSeen],
  )
  return true
}

export const deleteClaimedIncidents = (tx: Tx, before: number) =>
  tx.run('delete from told_incidents where last_seen < ?', [before])

export const selectDeliveriesOf = (db: Reader, alertId: string) =>
  db.all<DueDelivery>(`select ${dueColumns} where a.id = ? order by d.channel`, [alertId])

/**
 * `process` is the process that claimed the row, or null. Changes nothing for a process that was taken for dead
 * meanwhile.
 */
export const markDelivery = (
  tx: Tx,
  alertId: string,
  row: Omit<AlertDeliveryRow, 'alert_id' | 'process'>,
  process: string | null,
) =>
  tx.run(
    `update alert_deliveries set state = ?, reason = ?, failures = ?, next_at = ?, process = null
     where alert_id = ? and channel = ? and process is not distinct from ?`,
    [row.state, row.reason, row.failures, row.next_at, alertId, row.channel, process],
  )

export const selectAlerts = (db: Reader, limit: number) =>
  db.all<AlertRow>('select * from alerts order by created_at desc, id desc limit ?', [limit])

export const selectDeliveries = (db: Reader, alertIds: readonly string[]) =>
  db.kysely
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('alert_id', 'in', padToPowerOfTwo(alertIds))
    .orderBy('channel')
    .execute()

export const selectWindow = (db: Reader, type: AlertType, subject: string) =>
  db.get<AlertWindowRow>('select * from alert_windows where type = ? and subject = ?', [type, subject])

export const upsertWindow = (tx: Tx, row: AlertWindowRow) =>
  tx.run(
    `insert into alert_windows (type, subject, opened_at, held_back) values (?, ?, ?, ?)
     on conflict (type, subject) do update set opened_at = excluded.opened_at, held_back = excluded.held_back`,
    [row.type, row.subject, row.opened_at, row.held_back],
  )

export const deleteWindow = (tx: Tx, { type, subject }: Pick<AlertWindowRow, 'type' | 'subject'>) =>
  tx.run('delete from alert_windows where type = ? and subject = ?', [type, subject])

export const countWindows = async (db: Reader, type: AlertType, since: number): Promise<number> =>
  (
    await db.get<{ n: number }>(
      "select count(*) as n from alert_windows where type = ? and subject <> '' and opened_at > ?",
      [type, since],
    )
  )?.n ?? 0

/** A window that a clock which was ahead has opened, after `latest`, has ended too. */
export const selectEndedWindows = (db: Reader, { until, latest }: { until: number; latest: number }, limit: number) =>
  db.all<AlertWindowRow>(
    'select * from alert_windows where opened_at <= ? or opened_at > ? order by opened_at limit ?',
    [until, latest, limit],
  )

export const selectUsername = (db: Reader, id: string) =>
  db.get<{ username: string }>('select username from users where id = ?', [id])

export const deleteOldAlerts = (tx: Tx, before: number, limit: number) =>
  tx.run('delete from alerts where id in (select id from alerts where created_at < ? order by created_at limit ?)', [
    before,
    limit,
  ])
