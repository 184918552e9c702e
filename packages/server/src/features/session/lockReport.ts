import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { emailTexts, mailMember } from '../../core/mail/memberMail.ts'
import { addNotification } from '../notifications/notifications.ts'
import { preferencesOf } from '../preferences/preferences.ts'
import { getUser } from './users.ts'

/** Failures that count towards a lock; a wrong recovery key locks nothing. */
const countedTypes = "('failed_sign_in', 'failed_password_check', 'failed_second_factor')"

/** At most one entry per account in this time: strangers who lock it again and again must not fill the log. */
const entryIntervalMs = 60 * 60 * 1000
const maxCountedMs = 24 * entryIntervalMs

/**
 * Writes the audit entry that an account was locked, with the number of failed attempts since the last such entry (at
 * most a day). Single wrong passwords are security events, not entries: anyone can cause them, without an account.
 * Returns false if there was an entry less than an hour ago.
 */
export async function auditLock(tx: Tx, userId: string, at: number): Promise<boolean> {
  const last = await tx.get<{ at: number }>(
    `select created_at as at from audit_log where target_id = ? and target_id is distinct from actor_id
       and action = 'account_locked' and created_at > ? and created_at <= ? order by created_at desc limit 1`,
    // One dated by a clock that was ahead would keep all others back until then.
    [userId, at - maxCountedMs, at + limits.clockTolerance],
  )
  if (last !== undefined && last.at > at - entryIntervalMs) return false
  const failures = await tx.get<{ attempts: number }>(
    `select count(*) as attempts from security_events
     where user_id = ? and created_at > ? and created_at <= ? and event_type in ${countedTypes}`,
    [userId, last?.at ?? at - maxCountedMs, at],
  )
  const failedAttempts = failures?.attempts ?? 0
  await audit(tx, { action: 'account_locked', actorId: null, targetId: userId, details: { failedAttempts }, at })
  return true
}

interface Lock {
  /** The failed attempts that led to this lock, not those before it. */
  failures: number
  /** The address of the attempt that locked the account. */
  address: string
}

/** Notifies an account, regardless of preferences, that strangers or its owner have locked it. */
export async function notifyLocked(tx: Tx, core: Core, userId: string, lock: Lock): Promise<void> {
  await addNotification(tx, core, userId, { kind: 'account_locked', ...lock })
  const { email } = await getUser(tx, userId)
  const { language } = await preferencesOf(tx, userId)
  const text = emailTexts[language].accountLocked({ ...lock, at: core.clock.now() })
  tx.afterCommit(() => mailMember(core, { to: email, ...text, account: userId }))
}
