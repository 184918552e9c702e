import { limits } from '@privity/contract/limits'
import type { PushSubscriptionRow } from '../../core/database/tables/push.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'

type Target = Pick<PushSubscriptionRow, 'session_id' | 'user_id' | 'endpoint_hash' | 'subscription'>

export const selectSubscription = (db: Reader, sessionId: string) =>
  db.get<Pick<PushSubscriptionRow, 'subscription'>>(
    'select subscription from push_subscriptions where session_id = ?',
    [sessionId],
  )

/** An endpoint belongs to the browser's newest session, whoever had it before. */
export async function putSubscription(tx: Tx, { session_id, user_id, endpoint_hash, subscription }: Target) {
  await tx.run('delete from push_subscriptions where endpoint_hash = ? or session_id = ?', [endpoint_hash, session_id])
  await tx.run(
    'insert into push_subscriptions (session_id, user_id, endpoint_hash, subscription) values (?, ?, ?, ?)',
    [session_id, user_id, endpoint_hash, subscription],
  )
}

export const deleteSubscription = (tx: Tx, sessionId: string) =>
  tx.run('delete from push_subscriptions where session_id = ?', [sessionId])

export const deleteSubscriptionsIn = (tx: Tx, organizationId: string) =>
  tx.run('delete from push_subscriptions where user_id in (select id from users where organization_id = ?)', [
    organizationId,
  ])

export const selectChoice = (db: Reader, userId: string, device: string) =>
  db.get<{ push: 0 | 1 | null }>('select push from known_devices where user_id = ? and device = ?', [userId, device])

export const setChoice = (tx: Tx, userId: string, device: string, push: 0 | 1) =>
  tx.run('update known_devices set push = ? where user_id = ? and device = ?', [push, userId, device])

/** Whether the newest message of a contact has expired before this user read it. */
export async function hasMissedMessage(db: Reader, userId: string, now: number): Promise<boolean> {
  const missedOn = (own: 1 | 2, other: 1 | 2) =>
    `select 1 from connections c where c.user_id_${own} = ? and c.sent_seq_${other} > c.read_seq_${own} and not exists
       (select 1 from messages m where m.connection_id = c.id and m.seq = c.sent_seq_${other} and m.expires_at > ?)`
  const found = await db.get(`${missedOn(1, 2)} union all ${missedOn(2, 1)} limit 1`, [userId, now, userId, now])
  return found !== undefined
}

type Place = Pick<PushSubscriptionRow, 'session_id' | 'user_id'>

/** Browsers of these users to which a push may leave again. A date from a clock that was ahead holds back none. */
export function selectQueueable(db: Reader, userIds: readonly string[], now: number): Promise<Place[]> {
  const padded = padToPowerOfTwo(userIds)
  return db.all(
    `select session_id, user_id from push_subscriptions
     where user_id in (${placeholders(padded)}) and (quiet_until <= ? or quiet_until > ?)`,
    [...padded, now, now + limits.pushInterval + limits.clockTolerance],
  )
}

/** Queues a push; one that waits already stays, and announces the newer message. */
export const queuePush = (
  tx: Tx,
  sessionId: string,
  { due_at, caused_at, expires_at }: { due_at: number; caused_at: number; expires_at: number },
) =>
  tx.run(
    `update push_subscriptions set due_at = case when due_at <= ? then due_at else ? end, caused_at = ?, expires_at = ?
     where session_id = ?`,
    [due_at + limits.retention, due_at, caused_at, expires_at, sessionId],
  )

/** Browsers of these users where a push waits or has just left. */
export function selectPushed(db: Reader, userIds: readonly string[]): Promise<Place[]> {
  const padded = padToPowerOfTwo(userIds)
  return db.all(
    `select session_id, user_id from push_subscriptions
     where user_id in (${placeholders(padded)}) and (due_at is not null or quiet_until > 0)`,
    padded,
  )
}

/** Nothing waits for these sessions, and the next message counts anew. */
export function cancelPushes(tx: Tx, sessionIds: readonly string[]) {
  const padded = padToPowerOfTwo(sessionIds)
  return tx.run(
    `update push_subscriptions set due_at = null, failures = 0, quiet_until = 0
     where session_id in (${placeholders(padded)})`,
    padded,
  )
}

export type DuePush = Omit<PushSubscriptionRow, 'quiet_until'>

/** The pushes of sessions that live, those that have failed least first. */
export const selectDue = (db: Reader, now: number, limit: number) =>
  db.all<DuePush>(
    `select p.session_id, p.user_id, p.endpoint_hash, p.subscription, p.due_at, p.caused_at, p.expires_at, p.failures
     from push_subscriptions p join sessions s on s.id = p.session_id
     where p.due_at <= ? and s.last_used_at + s.idle_limit > ? and s.created_at + s.life_limit > ?
     order by p.failures, p.due_at limit ?`,
    [now, now, now, limit],
  )

export const selectDueSoon = (db: Reader, until: number, limit: number) =>
  db.all<Place & Pick<PushSubscriptionRow, 'caused_at'>>(
    'select session_id, user_id, caused_at from push_subscriptions where due_at <= ? order by failures, due_at limit ?',
    [until, limit],
  )

const isUnchanged = 'session_id = ? and endpoint_hash = ? and due_at = ?'

export const savePush = (
  tx: Tx,
  { session_id, endpoint_hash, due_at: before }: DuePush,
  { due_at, failures, quiet_until }: Pick<PushSubscriptionRow, 'due_at' | 'failures' | 'quiet_until'>,
) =>
  tx.run(`update push_subscriptions set due_at = ?, failures = ?, quiet_until = ? where ${isUnchanged}`, [
    due_at,
    failures,
    quiet_until,
    session_id,
    endpoint_hash,
    before,
  ])

/** Deletes a subscription that its push service does not know any longer. */
export const deletePushed = (tx: Tx, { session_id, endpoint_hash }: DuePush) =>
  tx.run('delete from push_subscriptions where session_id = ? and endpoint_hash = ?', [session_id, endpoint_hash])

/** Counts the pushes that wait, up to `max`. */
export async function countWaiting(db: Reader, max: number): Promise<number> {
  const row = await db.get<{ waiting: number }>(
    'select count(*) as waiting from (select 1 as found from push_subscriptions where due_at is not null limit ?) due',
    [max],
  )
  return row?.waiting ?? 0
}
