import { audit } from '../../core/audit/audit.ts'
import type { Tx } from '../../core/database/types.ts'

const attempts = "('failed_sign_in', 'failed_password_check', 'failed_second_factor')"

/** Shortest time between two entries about one account: strangers who lock it again and again must not fill the log. */
const entryEvery = 60 * 60 * 1000
const countedBack = 24 * entryEvery

/**
 * Writes for administrators that an account was locked, and after how many attempts since the last such entry (at most
 * a day). Single wrong passwords are security events, not entries: anyone can cause them, without an account. Returns
 * false if there was an entry less than an hour ago.
 */
export async function auditLock(tx: Tx, userId: string, at: number): Promise<boolean> {
  const last = await tx.get<{ at: number }>(
    `select created_at as at from audit_log where target_id = ? and target_id is distinct from actor_id
       and action = 'account_locked' and created_at > ? order by created_at desc limit 1`,
    [userId, at - countedBack],
  )
  if (last !== undefined && last.at > at - entryEvery) return false
  const failures = await tx.get<{ attempts: number }>(
    `select count(*) as attempts from security_events
     where user_id = ? and created_at > ? and created_at <= ? and event_type in ${attempts}`,
    [userId, last?.at ?? at - countedBack, at],
  )
  const failedAttempts = failures?.attempts ?? 0
  await audit(tx, { action: 'account_locked', actorId: null, targetId: userId, details: { failedAttempts }, at })
  return true
}
