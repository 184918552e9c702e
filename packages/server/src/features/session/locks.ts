import { createHmac } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { deleteInBatches } from '../../core/jobs/rowDeletion.ts'
import { raiseAlert } from '../founder/alerts/queue.ts'
import { notifyAdministratorsOfUser } from '../organization/roles/notifyAdministrators.ts'
import { hasSecondFactor } from '../secondFactor/enrollment.ts'
import { auditLock, notifyLocked } from './lockReport.ts'

/** The security events of a failed attempt to access an account, as an SQL list. */
export const failureTypes = "('failed_sign_in', 'failed_password_check', 'failed_recovery', 'failed_second_factor')"

/** The key of a failure counter: strangers to the account share one, a known browser has its own. */
export interface LockKey {
  /** Failures of the founder's sign-in are counted apart from members', no matter which names are typed. */
  purpose?: 'sign-in' | 'founder'
  /** A user's id, or a keyed hash if no such user exists: unknown names lock exactly like known ones. */
  account: string
  /** '' for strangers. */
  device: string
}

interface LockRow {
  failed: number
  last_failed_at: number
  locked_until: number | null
}

const ofKey = 'purpose = ? and account = ? and device = ?'
const keyParams = ({ purpose = 'sign-in', account, device }: LockKey) => [purpose, account, device]

/** Failures older than this are deleted, for known and unknown names alike. */
const failureLifetimeMs = 24 * 60 * 60 * 1000

export function accountKey(core: Core, user: UserRow | undefined, username: string): string {
  return user?.id ?? unknownNameKey(core, username)
}

/** The key under which a name that nobody has is counted. */
export const unknownNameKey = (core: Core, username: string): string =>
  createHmac('sha256', core.secrets.derive('unknown-names')).update(username).digest('base64url')

/**
 * Counts an attempt as failed before it is checked, so that concurrent attempts cannot exceed the limit;
 * `resetAttempts` resets the count. Throws ACCOUNT_LOCKED while locked.
 */
export function countAttempt(core: Core, key: LockKey): Promise<{ locks: boolean }> {
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const row = await tx.get<LockRow>(
      `select failed, last_failed_at, locked_until from sign_in_locks where ${ofKey}`,
      keyParams(key),
    )
    const lockedUntil = row?.locked_until ?? 0
    // A lock further in the future was set by a clock that was wrong.
    if (lockedUntil > now && lockedUntil <= now + limits.lockTime) {
      throw new AppError('ACCOUNT_LOCKED', { retryAfter: Math.ceil((lockedUntil - now) / 1000) })
    }
    const counts = row !== undefined && row.locked_until === null && row.last_failed_at > now - failureLifetimeMs
    const failed = (counts ? row.failed : 0) + 1
    const locks = failed >= limits.failedSignIns
    await tx.run(
      `insert into sign_in_locks (purpose, account, device, failed, last_failed_at, locked_until)
       values (?, ?, ?, ?, ?, ?)
       on conflict (purpose, account, device) do update set
       failed = excluded.failed, last_failed_at = excluded.last_failed_at, locked_until = excluded.locked_until`,
      [...keyParams(key), failed, now, locks ? now + limits.lockTime : null],
    )
    return { locks }
  })
}

/**
 * Counts an attempt, then checks its password. A check that could not be made (too many wait) is not counted: otherwise
 * a flood of sign-ins would lock out people who type the right password.
 */
export async function checkPassword(
  core: Core,
  key: LockKey,
  password: string,
  stored: string | undefined,
): Promise<{ isRight: boolean; locks: boolean }> {
  core.passwords.assertCapacity()
  const { locks } = await countAttempt(core, key)
  try {
    return { isRight: await core.passwords.verify(password, stored ?? core.passwords.decoyHash(key.account)), locks }
  } catch (error) {
    await core.db.write((tx) => uncountAttempt(tx, key))
    throw error
  }
}

/**
 * Call it after a right password. If a second factor is still to be checked, only this attempt is uncounted: otherwise
 * anyone with the password could guess codes for ever, resetting the count in between.
 */
export async function acceptPassword(tx: Tx, key: LockKey): Promise<void> {
  if (await hasSecondFactor(tx, key.account)) await uncountAttempt(tx, key)
  else await resetAttempts(tx, key)
}

/** Uncounts this attempt and removes the lock that it caused, if any; earlier attempts stay counted. */
export async function uncountAttempt(tx: Tx, key: LockKey): Promise<void> {
  await tx.run(`update sign_in_locks set failed = failed - 1, locked_until = null where ${ofKey}`, keyParams(key))
  await tx.run(`delete from sign_in_locks where ${ofKey} and failed <= 0`, keyParams(key))
}

/** Call it for a new password: earlier failures do not concern it, but wrong second factors stay counted. */
export async function resetLocksOfUser(tx: Tx, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return
  await tx.run('delete from sign_in_locks where account = ?', [userId])
}

interface Reset {
  /** The deleted counters: of strangers and of each browser. */
  counters: number
  /** Null if none of them locked the account. */
  lockedUntil: number | null
}

/** Deletes every counter of an account, when an administrator or the founder unlocks it. */
export async function resetLocks(tx: Tx, userId: string): Promise<Reset> {
  const rows = await tx.all<Pick<LockRow, 'locked_until'>>(
    'delete from sign_in_locks where account = ? returning locked_until',
    [userId],
  )
  const latest = Math.max(0, ...rows.map(({ locked_until }) => locked_until ?? 0))
  return { counters: rows.length, lockedUntil: latest === 0 ? null : latest }
}

/** SQL: whether it locks now; one further in the future was set by a clock that was wrong. Parameters: `lockTimes`. */
export const isLocking = 'locked_until > ? and locked_until <= ?'
export const lockTimes = (now: number) => [now, now + limits.lockTime]

/** The time until which each of these users is locked, by failures of strangers or of one of their browsers. */
export async function locksOf(db: Reader, userIds: readonly string[], now: number): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const padded = padToPowerOfTwo(userIds)
  const rows = await db.all<{ account: string; until: number }>(
    `select account, max(locked_until) as until from sign_in_locks
     where purpose = 'sign-in' and account in (${placeholders(padded)}) and ${isLocking} group by account`,
    [...padded, ...lockTimes(now)],
  )
  return new Map(rows.map(({ account, until }) => [account, until]))
}

/**
 * Deletes every counter of the founder's sign-in: of strangers, of the founder's browsers and of wrong names. Returns
 * their number.
 */
export async function resetFounderLocks(tx: Tx): Promise<number> {
  const { changes } = await tx.run("delete from sign_in_locks where purpose = 'founder'")
  return changes
}

/** Resets the counter: the attempt was right. */
export async function resetAttempts(tx: Tx, key: LockKey): Promise<void> {
  await tx.run(`delete from sign_in_locks where ${ofKey}`, keyParams(key))
}

interface Failure {
  locks: boolean
  userId: string | undefined
  /** The account of the LockKey, if there is no user. */
  account?: string
  address: string
}

/** Records a failed attempt, and the lock it caused, for the monitoring rules. */
export function recordFailure(
  core: Core,
  type: 'failed_sign_in' | 'failed_recovery' | 'failed_password_check' | 'failed_second_factor',
  { locks, userId, account, address }: Failure,
): Promise<void> {
  const at = core.clock.now()
  return core.db.write(async (tx) => {
    const subject = userId === undefined ? { account } : { userId }
    await recordSecurityEvent(tx, { type, severity: 'low', at, ...subject, address })
    tx.afterCommit(() => core.bus.publish('signalsStored', {}))
    if (!locks) return
    await recordSecurityEvent(tx, { type: 'account_locked', severity: 'medium', at, ...subject, address })
    if (userId !== undefined) {
      await notifyAdministratorsOfUser(tx, core, userId)
      const isRecorded = await auditLock(tx, userId, at)
      // Only together with an entry: strangers who lock an account again and again must not fill its owner's mailbox
      // either.
      if (isRecorded) await notifyLocked(tx, core, userId, { failures: limits.failedSignIns, address })
    }
    await raiseAlert(tx, core, { type: 'account_locked', userId, address })
  })
}

const batchSize = 1_000

/** Deletes in batches, because a stranger can try any number of names. */
export function deleteOldFailures({ db, clock }: Core, stopping: Stopping): Promise<void> {
  const sql = `delete from sign_in_locks where (purpose, account, device) in
    (select purpose, account, device from sign_in_locks where last_failed_at <= ? limit ?)`
  return deleteInBatches(db, batchSize, (tx) => tx.run(sql, [clock.now() - failureLifetimeMs, batchSize]), stopping)
}
