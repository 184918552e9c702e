import type { Reader, Tx } from '../../core/database/types.ts'
import type { AuditRow } from '../../core/database/tables/audit.ts'
import { failureTypes } from '../session/locks.ts'

export const countFailures = (db: Reader, userId: string, since: number) =>
  db.get<{ count: number }>(
    `select count(*) as count from security_events
     where user_id = ? and created_at > ? and event_type in ${failureTypes}`,
    [userId, since],
  )

export const selectLastFailure = (db: Reader, userId: string, since: number) =>
  db.get<{ created_at: number; address: string | null }>(
    `select created_at, address from security_events
     where user_id = ? and created_at > ? and event_type in ${failureTypes}
     order by created_at desc, id desc limit 1`,
    [userId, since],
  )

/** In the place of an earlier time, or of one after `latest`, from a clock that was ahead. */
export const settleFailuresUntil = (tx: Tx, userId: string, until: number, latest: number) =>
  tx.run(
    'update users set failures_settled_at = ? where id = ? and (failures_settled_at < ? or failures_settled_at > ?)',
    [until, userId, until, latest],
  )

export const selectLastRenewal = (db: Reader, userId: string) =>
  db.get<{ created_at: number }>(
    `select created_at from audit_log where actor_id = ? and action = 'recovery_key_renewed'
     order by seq desc limit 1`,
    [userId],
  )

export const selectActivity = (db: Reader, userId: string, limit: number) =>
  db.all<Pick<AuditRow, 'created_at' | 'action' | 'details'> & { address: string | null }>(
    `select audit_log.created_at, action, address, details from audit_log left join audit_addresses using (seq)
     where actor_id = ? order by audit_log.created_at desc, seq desc limit ?`,
    [userId, limit],
  )
