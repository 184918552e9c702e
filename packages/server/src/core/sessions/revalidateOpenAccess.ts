import type { Background } from '../async/background.ts'
import type { Bus } from '../cluster/bus.ts'
import type { Db } from '../database/types.ts'
import { coalesce } from '../async/promises.ts'
import { padToPowerOfTwo, placeholders } from '../database/statements.ts'
import type { Session } from './sessions.ts'

/** A session with an open socket or transfer. A transfer has no token: it ends only with its session. */
type Open = Pick<Session, 'id' | 'userId'> & Partial<Pick<Session, 'tokenHash'>>

interface Dependencies {
  background: Background
  db: Db
  bus: Bus
  /** Sessions with a socket or a transfer under way in this process. */
  open(): readonly Open[]
  /** Returns those of these users who lack a required second factor. */
  withoutFactor(userIds: readonly string[]): Promise<readonly string[]>
  onError(error: unknown): void
}

const batchSize = 500

/** Returns which of these sessions have ended, and the token hashes of the rest. */
async function readTokens(
  db: Db,
  ids: readonly string[],
): Promise<{ ended: Set<string>; tokens: Map<string, string> }> {
  const ended = new Set(ids)
  const tokens = new Map<string, string>()
  for (let i = 0; i < ids.length; i += batchSize) {
    const batch = padToPowerOfTwo(ids.slice(i, i + batchSize))
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

/**
 * Ends sockets and transfers of this process that the database no longer allows, whenever notices of other processes
 * may have been lost.
 */
export function revalidateOpenSessions({ background, db, bus, open, withoutFactor, onError }: Dependencies): {
  settled(): Promise<void>
} {
  let running: Promise<void> | undefined

  async function revalidate(): Promise<void> {
    const opened = open()
    const sessions = new Map(opened.map(({ id, userId }) => [id, userId]))
    const { ended, tokens } = await readTokens(db, [...sessions.keys()])
    for (const { id: sessionId, tokenHash: before } of opened) {
      const tokenHash = tokens.get(sessionId)
      if (before !== undefined && tokenHash !== undefined && tokenHash !== before)
        bus.publishHere('sessionRenewed', { sessionId, tokenHash })
    }
    for (const id of ended) bus.publishHere('sessionEnded', { sessionIds: [id], userId: sessions.get(id) ?? '' })
    for (const userId of await withoutFactor([...new Set(sessions.values())]))
      bus.publishHere('factorMissing', { userId })
  }

  const revalidateOnce = coalesce(() => revalidate().catch(onError))
  bus.subscribe('missed', () => background.run('what was missed', () => (running = revalidateOnce())))
  return { settled: async () => running }
}
