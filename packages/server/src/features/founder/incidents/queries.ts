import type { Reader } from '../../../core/database/types.ts'
import { padToPowerOfTwo } from '../../../core/database/statements.ts'
import type { SecurityEventRow } from '../../../core/database/tables/security.ts'

/** Failed attempts to prove one's identity. */
export const failures = [
  'failed_sign_in',
  'failed_password_check',
  'failed_recovery',
  'failed_second_factor',
  'failed_founder_sign_in',
  'failed_founder_second_factor',
  'failed_founder_password_check',
] as const

/** Actions that deterrents block. Putting a page in the background is reported too, but nothing is blocked. */
export const deterrents = [
  'screenshot_attempt',
  'dev_tools_detected',
  'print_attempt',
  'copy_attempt',
  'right_click_blocked',
  'suspicious_activity',
] as const

/** Actions of organizations' administrators that affect other people; every action of the founder counts. */
export const administrativeActions = [
  'user_role_changed',
  'user_activated',
  'user_deactivated',
  'user_deleted',
  'user_second_factor_reset',
  'account_unlocked',
  'invitation_created',
  'invitation_revoked',
  'policy_changed',
  'organization_changed',
  'audit_log_exported',
] as const

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

export type EventRow = Pick<
  SecurityEventRow,
  'id' | 'event_type' | 'severity' | 'user_id' | 'account' | 'address' | 'created_at' | 'occurred_at'
>

const eventTypes = quoted([...failures, ...deterrents])

/** In the order of storage. Only the oldest rows are ever deleted, so positions only grow. */
export const selectEvents = (db: Reader, after: number, upTo: number) =>
  db.all<EventRow>(
    `select id, event_type, severity, user_id, account, address, created_at, occurred_at
     from security_events where rowid > ? and rowid <= ? and event_type in (${eventTypes}) order by rowid`,
    [after, upTo],
  )

/** Positions in the two tables. */
export interface Positions {
  events: number
  actions: number
}

export interface ActionRow {
  seq: number
  created_at: number
  action: string
  actor_id: string
  address: string | null
}

/** Sign-ups, and actions of administrators and of the founder. */
export const selectActions = (db: Reader, after: number, upTo: number) =>
  db.all<ActionRow>(
    `select seq, audit_log.created_at, action, actor_id, address
     from audit_log left join audit_addresses using (seq)
     where seq > ? and seq <= ? and (actor_id = 'founder' or (actor_id is not null and actor_id <> 'operator'
       and action in ('account_created', ${quoted(administrativeActions)})))
     order by seq`,
    [after, upTo],
  )

/** The positions before the first entries after `since`. */
export const selectStart = (db: Reader, since: number) =>
  db.get<Positions>(
    `select
       coalesce((select min(rowid) from security_events where created_at > ?),
         (select max(rowid) + 1 from security_events), 1) - 1 as events,
       coalesce((select min(seq) from audit_log where created_at > ?),
         (select max(seq) + 1 from audit_log), 1) - 1 as actions`,
    [since, since],
  )

export const selectNewest = (db: Reader) =>
  db.get<Positions>(
    `select coalesce((select max(rowid) from security_events), 0) as events,
       coalesce((select max(seq) from audit_log), 0) as actions`,
  )

export const selectUsernames = (db: Reader, ids: readonly string[]) =>
  db.kysely.selectFrom('users').select(['id', 'username']).where('id', 'in', padToPowerOfTwo(ids)).execute()
