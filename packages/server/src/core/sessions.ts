import { hash } from 'node:crypto'
import type { EndReason, ServerFrame } from '@privity/contract/events'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { readCookie } from './cookies.ts'
import type { Db, Tx } from './db.ts'
import { oneAtATime } from './oneAtATime.ts'
import { rowsStatement } from './rowsOf.ts'

export interface Session {
  readonly id: string
  readonly userId: string
  lastUsedAt: number
  /** How long it may lie unused, in milliseconds. */
  idleLimit: number
}

/** Who is behind a cookie, from memory when possible, exact at once when a session ends. */
export interface Sessions {
  cookieName: string
  /**
   * From memory: the session, undefined if the cookie cannot be one, or a promise when the database must be asked.
   * `byItself`: a browser asks without anyone doing anything, which is no use of the session.
   */
  find(cookieHeader: string | undefined, byItself?: boolean): Session | undefined | Promise<Session | undefined>
  /** Ends sessions in the caller's transaction; memory and sockets, which hear the reason, follow when it is durable. */
  end(tx: Tx, userId: string, which: { id: string } | 'all' | { except: string }, reason?: EndReason): Promise<number>
  /** When a session was last used, as far as this process knows: another may write down what it knows within a minute. */
  usedAt(id: string): number
  /** Writes down all times of use until now; done once a minute, and when the server stops. */
  saveUse(): Promise<void>
  /** Who has used a session since then of which the database does not know yet; more than once where he has several. */
  unsavedUsers(since: number): string[]
  /** Gives the sessions that these users have another limit in the caller's transaction. */
  setIdleLimit(tx: Tx, userIds: readonly string[], idleLimit: number): Promise<void>
  close(): void
}

type Used = Readonly<Pick<Session, 'id' | 'userId' | 'lastUsedAt'>>

/** So that a flood of sessions cannot fill the memory; the oldest leave first. */
const mostRemembered = 50_000

/** Times of use that one transaction writes. */
const savedAtOnce = 256

const saveRows = rowsStatement(
  (rows) => `with used (id, at) as (values ${rows})
    update sessions set last_used_at = used.at from used where sessions.id = used.id and sessions.last_used_at < used.at`,
  '(?, ?)',
  '(cast(? as text), cast(? as bigint))',
)

const sessionsChanged = JSON.stringify({ type: 'sessions_changed' } satisfies ServerFrame)

export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

export function createSessions(db: Db, bus: Bus, clock: Clock, secure: boolean): Sessions {
  const cookieName = secure ? '__Host-privity_session' : 'privity_session'
  const remembered = new Map<string, Session>()
  const hashes = new Map<string, string>()
  /** Times of use that are not written down yet, by session. */
  const used = new Map<string, Used>()
  /** Of sessions that may be in an answer under way from the database. */
  let changes = 0

  function forget(session: Session): void {
    const tokenHash = hashes.get(session.id)
    if (tokenHash !== undefined) remembered.delete(tokenHash)
    hashes.delete(session.id)
  }

  function remember(tokenHash: string, session: Session): void {
    if (remembered.size >= mostRemembered) {
      for (const oldest of remembered.values()) {
        if (used.has(oldest.id)) continue
        forget(oldest)
        break
      }
    }
    remembered.set(tokenHash, session)
    hashes.set(session.id, tokenHash)
  }

  const stops = [
    bus.subscribe('sessionEnded', ({ sessionIds }) => {
      changes += 1
      for (const id of sessionIds) {
        used.delete(id)
        const tokenHash = hashes.get(id)
        const session = tokenHash === undefined ? undefined : remembered.get(tokenHash)
        if (session !== undefined) forget(session)
      }
    }),
    bus.subscribe('idleLimitChanged', ({ userIds, idleLimit }) => {
      changes += 1
      const changed = new Set(userIds)
      for (const session of remembered.values()) if (changed.has(session.userId)) session.idleLimit = idleLimit
    }),
    bus.subscribe('missed', () => {
      changes += 1
      remembered.clear()
      hashes.clear()
    }),
  ]

  function use(session: Session, byItself: boolean): Session | undefined {
    const now = clock.now()
    if (now - session.lastUsedAt >= session.idleLimit) return undefined
    if (now !== session.lastUsedAt && !byItself) {
      session.lastUsedAt = now
      used.set(session.id, session)
    }
    return session
  }

  const isIdle = ({ lastUsedAt, idleLimit }: Session) => clock.now() - lastUsedAt >= idleLimit

  async function ask(tokenHash: string, byItself: boolean): Promise<Session | undefined> {
    const before = changes
    const session = await db.read.get<Session>(
      `select id, user_id as "userId", last_used_at as "lastUsedAt", idle_limit as "idleLimit" from sessions
       where token_hash = ?`,
      [tokenHash],
    )
    if (session === undefined) return undefined
    session.lastUsedAt = Math.max(session.lastUsedAt, used.get(session.id)?.lastUsedAt ?? 0)
    if (!bus.isWhole()) return use(session, byItself)
    const already = remembered.get(tokenHash)
    if (already !== undefined) {
      // It may have been used in another process since.
      already.lastUsedAt = Math.max(already.lastUsedAt, session.lastUsedAt)
      return use(already, byItself)
    }
    // A session that ended or changed between the question and its answer must not be remembered as it was.
    if (before === changes) remember(tokenHash, session)
    return use(session, byItself)
  }

  async function save(): Promise<void> {
    const sessions = [...used.values()].map(({ id, lastUsedAt }) => ({ id, lastUsedAt }))
    for (let from = 0; from < sessions.length; from += savedAtOnce) {
      const some = sessions.slice(from, from + savedAtOnce)
      await db.write((tx) =>
        tx.runRows(
          saveRows,
          some.map(({ id, lastUsedAt }) => [id, lastUsedAt]),
        ),
      )
      // Only now: until then the database knows less than this process.
      for (const { id, lastUsedAt } of some) if (used.get(id)?.lastUsedAt === lastUsedAt) used.delete(id)
    }
  }

  return {
    cookieName,
    find(cookieHeader, byItself = false) {
      const token = readCookie(cookieHeader, cookieName)
      if (token === undefined || token.length !== 43) return undefined
      const tokenHash = hashToken(token)
      const session = remembered.get(tokenHash)
      if (session === undefined || !bus.isWhole() || isIdle(session)) return ask(tokenHash, byItself)
      return use(session, byItself)
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
          bus.publish('sessionEnded', { sessionIds, userId, reason })
          bus.publish('notice', { userIds: [userId], frame: sessionsChanged })
        })
      }
      return rows.length
    },
    usedAt: (id) => (used.get(id) ?? remembered.get(hashes.get(id) ?? ''))?.lastUsedAt ?? 0,
    saveUse: oneAtATime(save),
    unsavedUsers: (since) =>
      [...used.values()].filter(({ lastUsedAt }) => lastUsedAt > since).map(({ userId }) => userId),
    async setIdleLimit(tx, userIds, idleLimit) {
      for (const userId of userIds)
        await tx.run('update sessions set idle_limit = ? where user_id = ?', [idleLimit, userId])
      tx.afterCommit(() => bus.publish('idleLimitChanged', { userIds, idleLimit }))
    },
    close() {
      for (const stop of stops) stop()
    },
  }
}
