import type { Background } from '../async/background.ts'
import type { Bus } from '../cluster/bus.ts'
import type { Db } from '../database/types.ts'
import { coalesce } from '../async/promises.ts'
import { padToPowerOfTwo, placeholders } from '../database/statements.ts'
import type { Session } from './sessions.ts'

/** A session with an open socket or transfer. Transfers carry no token, because a renewed token does not end them. */
type Open = Pick<Session, 'id' | 'userId'> & Partial<Pick<Session, 'tokenHash'>>

interface Dependencies {
  background: Background
  db: Db
  bus: Bus
  /** Sessions with a socket or a transfer under way in this process. */
  openSessions(): readonly Open[]
  /** Returns those of these users who lack a required second factor. */
  withoutFactor(userIds: readonly string[]): Promise<readonly string[]>
  onError(error: unknown): void
}

const batchSize = 500

/** Returns the ids of ended sessions, and the token hashes of the others. */
async function readTokens(
  db: Db,
  ids: readonly string[],
): Promise<{ ended: Set<string>; tokens: Map<string, string> }> {
  const ended = new Set(ids)
  const tokens = new Map<string, string>()
  for (let index = 0; index < ids.length; index += batchSize) {
    const batch = padToPowerOfTwo(ids.slice(index, index + batchSize))
    const rows = await db.read.all<{ id: string; token_hash: string }>(
      `select id, token_hash from sessions where id in (${placeholders(batch)})`,
      batch,
    )
    for (const { id, token_hash } of rows) {
      ended.delete(id)
      tokens.set(id, token_hash)
    }
  }
  return { ended, tokens }
}

/** After lost events, closes the sockets and transfers of this process that the database no longer authorizes. */
export function revalidateOpenSessions({ background, db, bus, openSessions, withoutFactor, onError }: Dependencies): {
  settled(): Promise<void>
} {
  let running: Promise<void> | undefined

  async function revalidate(): Promise<void> {
    const opened = openSessions()
    const sessions = new Map(opened.map(({ id, userId }) => [id, userId]))
    const { ended, tokens } = await readTokens(db, [...sessions.keys()])
    for (const { id: sessionId, tokenHash: openedWith } of opened) {
      const tokenHash = tokens.get(sessionId)
      if (openedWith !== undefined && tokenHash !== undefined && tokenHash !== openedWith)
        bus.publishHere('sessionRenewed', { sessionId, tokenHash })
    }
    for (const id of ended) bus.publishHere('sessionEnded', { sessionIds: [id], userId: sessions.get(id) ?? '' })
    for (const userId of await withoutFactor([...new Set(sessions.values())]))
      bus.publishHere('factorMissing', { userId })
  }

  const revalidateOnce = coalesce(() => revalidate().catch(onError))
  bus.subscribe('eventsLost', () => background.run('revalidation of open sessions', () => (running = revalidateOnce())))
  return { settled: async () => running }
}
