import { limits } from '@privity/contract/limits'
import type { Db, Reader, Tx } from '../../../core/database/types.ts'
import type { FounderSessionRow } from '../../../core/database/tables/founder.ts'

export const selectSessions = (db: Reader, usedAfter: number) =>
  db.all<FounderSessionRow>('select * from founder_sessions where last_used_at > ? order by created_at desc, id desc', [
    usedAfter,
  ])

/** Destroys the session's share too. */
export async function deleteSession(tx: Tx, db: Db, id: string): Promise<{ changes: number }> {
  const deleted = await tx.run('delete from founder_sessions where id = ?', [id])
  if (deleted.changes > 0) tx.afterCommit(db.emptyLogSoon)
  return deleted
}

/** Deletes sessions that were unused for too long or have reached their maximum age. */
export const deleteEndedSessions = (tx: Tx, usedUntil: number, startedUntil: number) =>
  tx.run('delete from founder_sessions where last_used_at <= ? or created_at <= ?', [usedUntil, startedUntil])

/** As for members: dates in the future were written while the clock was ahead. */
export function correctDates(tx: Tx, now: number) {
  const latest = now + limits.clockTolerance
  return tx.run(
    `update founder_sessions set last_used_at = ?, created_at = case when created_at > ? then ? else created_at end,
       confirmed_at = case when confirmed_at > ? then null else confirmed_at end where last_used_at > ?`,
    [now, now, now, latest, latest],
  )
}

export const deleteExpiredTickets = (tx: Tx, now: number) =>
  tx.run('delete from founder_tickets where expires_at <= ?', [now])

export const selectDevice = (db: Reader, device: string) =>
  db.get('select 1 from founder_devices where device = ?', [device])

export const insertDevice = (tx: Tx, device: string, now: number) =>
  tx.run(
    `insert into founder_devices (device, first_seen_at, last_seen_at) values (?, ?, ?)
     on conflict (device) do update set last_seen_at = excluded.last_seen_at`,
    [device, now, now],
  )

/** Deletes all but the `limit` devices seen last. */
export const deleteOldDevices = (tx: Tx, limit: number) =>
  tx.run(
    'delete from founder_devices where device not in (select device from founder_devices order by last_seen_at desc limit ?)',
    [limit],
  )
