import type { EndReason, ServerFrame } from '@privity/contract/events'
import type { Bus } from '../cluster/bus.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/types.ts'
import { coalesce } from '../async/promises.ts'
import { multiRowInsert } from '../database/statements.ts'
import type { SessionRow } from '../database/tables/sessions.ts'
import { hasToken, readTokenHash, replaceToken, tokenParameters } from './tokens.ts'

export interface Session {
  readonly id: string
  readonly userId: string
  lastUsedAt: number
  /** How long it may stay unused, in milliseconds. */
  idleLimit: number
  /** When it ends, however much it is used. */
  readonly endsAt: number
  /** SHA-256 of the token that it was found by. */
  readonly tokenHash: string
  /** Whether that is the former token, which is valid for calls under way for a moment after a renewal. */
  readonly isFormer: boolean
  /** Whether its cookies end with the browser. */
  readonly sharedComputer: boolean
}

/** Finds the session of a cookie, from memory if possible. An ended session is invalid at once. */
export interface Sessions {
  cookieName: string
  /**
   * Returns the session from memory, undefined if the cookie cannot be one, or a promise if the database must be read.
   * `isAutomatic`: the browser sent the call without a user's action, which does not count as use.
   */
  find(cookieHeader: string | undefined, isAutomatic?: boolean): Session | undefined | Promise<Session | undefined>
  /**
   * Ends sessions in the caller's transaction; memory and sockets, which close with the reason, follow once durable.
   */
  end(tx: Tx, userId: string, which: { id: string } | 'all' | { except: string }, reason?: EndReason): Promise<number>
  /** Returns the latest use that this process knows of, else 0; other processes save theirs within a minute. */
  usedAt(id: string): number
  /** Saves the times of last use; called once a minute, and when the server stops. */
  saveUse(): Promise<void>
  /** Users of sessions used after `since` whose use is not saved yet, once per session. */
  unsavedUsers(since: number): string[]
  /** Changes the idle limit of these users' sessions in the caller's transaction. */
  setIdleLimit(tx: Tx, userIds: readonly string[], idleLimit: number): Promise<void>
  /** Changes the lifetime of an organization's sessions in the caller's transaction. */
  setLifeLimit(tx: Tx, organizationId: string, lifeLimit: number): Promise<void>
  /**
   * Replaces a session's token in the caller's transaction, which shuts out a thief of the former one. Calls that other
   * tabs sent with it are served for limits.tokenOverlap; sockets, and calls that need a confirmed session, are not.
   * Returns undefined for a call with a former token: its browser is about to receive the present one.
   */
  renew(tx: Tx, session: { sessionId: string; tokenHash: string }): Promise<string | undefined>
  close(): void
}

interface Ending {
  ends_at: number
}

type Used = Readonly<Pick<Session, 'id' | 'userId' | 'lastUsedAt'>>

/** Bounds memory; the oldest sessions are dropped first. */
const maxCached = 50_000

const saveBatchSize = 256

const saveRows = multiRowInsert(
  (rows) => `with used (id, at) as (values ${rows})
    update sessions set last_used_at = used.at from used where sessions.id = used.id and sessions.last_used_at < used.at`,
  '(?, ?)',
  '(cast(? as text), cast(? as bigint))',
)

const sessionsChanged = JSON.stringify({ type: 'sessions_changed' } satisfies ServerFrame)

export function createSessions(db: Db, bus: Bus, clock: Clock, secure: boolean): Sessions {
  const cookieName = secure ? '__Host-privity_session' : 'privity_session'
  const cache = new Map<string, Session>()
  const hashes = new Map<string, string>()
  /** Times of use that are not saved yet, by session. */
  const used = new Map<string, Used>()
  /** Counts changes to sessions, to detect a change while the database is being read. */
  let changes = 0
  /** Counts saves of times of use, to detect one while the database is being read. */
  let saves = 0

  function removeFromCache(session: Session): void {
    const tokenHash = hashes.get(session.id)
    if (tokenHash !== undefined) cache.delete(tokenHash)
    hashes.delete(session.id)
  }

  function addToCache(tokenHash: string, session: Session): void {
    if (cache.size >= maxCached) {
      for (const oldest of cache.values()) {
        if (used.has(oldest.id)) continue
        removeFromCache(oldest)
        break
      }
    }
    cache.set(tokenHash, session)
    hashes.set(session.id, tokenHash)
  }

  function clearCache(): void {
    changes += 1
    cache.clear()
    hashes.clear()
  }

  const stops = [
    bus.subscribe('sessionEnded', ({ sessionIds }) => {
      changes += 1
      for (const id of sessionIds) {
        used.delete(id)
        const tokenHash = hashes.get(id)
        const session = tokenHash === undefined ? undefined : cache.get(tokenHash)
        if (session !== undefined) removeFromCache(session)
      }
    }),
    bus.subscribe('sessionsRedated', ({ sessionIds }) => {
      changes += 1
      for (const id of sessionIds) {
        // Otherwise the next save would store the future date again.
        if ((used.get(id)?.lastUsedAt ?? 0) > clock.now()) used.delete(id)
        const session = cache.get(hashes.get(id) ?? '')
        if (session !== undefined) removeFromCache(session)
      }
    }),
    bus.subscribe('idleLimitChanged', ({ userIds, idleLimit }) => {
      changes += 1
      const changed = new Set(userIds)
      for (const session of cache.values()) if (changed.has(session.userId)) session.idleLimit = idleLimit
    }),
    bus.subscribe('sessionRenewed', ({ sessionId }) => {
      changes += 1
      const session = cache.get(hashes.get(sessionId) ?? '')
      if (session !== undefined) removeFromCache(session)
    }),
    bus.subscribe('policyChanged', clearCache),
    bus.subscribe('eventsLost', clearCache),
  ]

  const hasEnded = ({ lastUsedAt, idleLimit, endsAt }: Session) =>
    clock.now() - lastUsedAt >= idleLimit || clock.now() >= endsAt

  function recordUse(session: Session, isAutomatic: boolean): Session | undefined {
    const now = clock.now()
    if (hasEnded(session)) return undefined
    if (now !== session.lastUsedAt && !isAutomatic) {
      session.lastUsedAt = now
      used.set(session.id, session)
    }
    return session
  }

  async function readSession(tokenHash: string, isAutomatic: boolean): Promise<Session | undefined> {
    const before = changes
    const savesBefore = saves
    const row = await db.read.get<
      Pick<SessionRow, 'id' | 'user_id' | 'last_used_at' | 'idle_limit' | 'token_hash' | 'shared_computer'> & Ending
    >(
      `select id, user_id, last_used_at, idle_limit, token_hash, shared_computer, created_at + life_limit as ends_at
       from sessions where ${hasToken}`,
      tokenParameters(tokenHash, clock.now()),
    )
    if (row === undefined) return undefined
    const isFormer = row.token_hash !== tokenHash
    const { id, user_id: userId, last_used_at: lastUsedAt, idle_limit: idleLimit, ends_at: endsAt } = row
    const sharedComputer = row.shared_computer === 1
    const session: Session = { id, userId, lastUsedAt, idleLimit, endsAt, tokenHash, isFormer, sharedComputer }
    session.lastUsedAt = Math.max(session.lastUsedAt, used.get(session.id)?.lastUsedAt ?? 0)
    // A use that was saved during the read may be neither in the row nor in memory.
    if (hasEnded(session) && savesBefore !== saves) return readSession(tokenHash, isAutomatic)
    if (!bus.receivesAllEvents()) return recordUse(session, isAutomatic)
    const cached = cache.get(tokenHash)
    if (cached !== undefined) {
      // Another process may have used it meanwhile.
      cached.lastUsedAt = Math.max(cached.lastUsedAt, session.lastUsedAt)
      return recordUse(cached, isAutomatic)
    }
    // A session that ended or changed during the read must not be cached in its former state.
    if (before === changes && !isFormer) addToCache(tokenHash, session)
    return recordUse(session, isAutomatic)
  }

  async function save(): Promise<void> {
    const sessions = [...used.values()].map(({ id, lastUsedAt }) => ({ id, lastUsedAt }))
    for (let from = 0; from < sessions.length; from += saveBatchSize) {
      const batch = sessions.slice(from, from + saveBatchSize)
      await db.write((tx) =>
        tx.runRows(
          saveRows,
          batch.map(({ id, lastUsedAt }) => [id, lastUsedAt]),
        ),
      )
      saves += 1
      // Removed only after the save: until then this process knows more than the database.
      for (const { id, lastUsedAt } of batch) if (used.get(id)?.lastUsedAt === lastUsedAt) used.delete(id)
    }
  }

  return {
    cookieName,
    find(cookieHeader, isAutomatic = false) {
      const tokenHash = readTokenHash(cookieHeader, cookieName)
      if (tokenHash === undefined) return undefined
      const session = cache.get(tokenHash)
      if (session === undefined || !bus.receivesAllEvents() || hasEnded(session))
        return readSession(tokenHash, isAutomatic)
      return recordUse(session, isAutomatic)
    },
    async end(tx, userId, which, reason) {
      const rows = await tx.all<{ id: string }>(
        which === 'all'
          ? 'delete from sessions where user_id = ? returning id'
          : `delete from sessions where user_id = ? and id ${'id' in which ? '=' : '<>'} ? returning id`,
        which === 'all' ? [userId] : [userId, 'id' in which ? which.id : which.except],
      )
      if (rows.length > 0) {
        const sessionIds = rows.map(({ id }) => id)
        tx.afterCommit(() => {
          // Their key shares must not stay in the database's log.
          db.emptyLogSoon()
          bus.publish('sessionEnded', { sessionIds, userId, reason })
          bus.publish('notice', { userIds: [userId], frame: sessionsChanged })
        })
      }
      return rows.length
    },
    usedAt: (id) => (used.get(id) ?? cache.get(hashes.get(id) ?? ''))?.lastUsedAt ?? 0,
    saveUse: coalesce(save),
    unsavedUsers: (since) =>
      [...used.values()].filter(({ lastUsedAt }) => lastUsedAt > since).map(({ userId }) => userId),
    async setIdleLimit(tx, userIds, idleLimit) {
      for (const userId of userIds)
        await tx.run('update sessions set idle_limit = ? where user_id = ?', [idleLimit, userId])
      tx.afterCommit(() => bus.publish('idleLimitChanged', { userIds, idleLimit }))
    },
    async setLifeLimit(tx, organizationId, lifeLimit) {
      await tx.run(
        'update sessions set life_limit = ? where user_id in (select id from users where organization_id = ?)',
        [lifeLimit, organizationId],
      )
    },
    async renew(tx, session) {
      const renewed = await replaceToken(tx, 'sessions', session, clock.now())
      if (renewed === undefined) return undefined
      const { token, tokenHash } = renewed
      tx.afterCommit(() => bus.publish('sessionRenewed', { sessionId: session.sessionId, tokenHash }))
      return token
    },
    close() {
      for (const stop of stops) stop()
    },
  }
}
