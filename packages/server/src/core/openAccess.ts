import type { Background } from './background.ts'
import type { Bus } from './bus.ts'
import type { Db } from './db.ts'
import { oneAtATime } from './oneAtATime.ts'
import { padded, placesOf } from './padded.ts'
import type { Session } from './sessions.ts'

type Open = Pick<Session, 'id' | 'userId'>

interface Dependencies {
  background: Background
  db: Db
  bus: Bus
  /** Sessions with a socket or a transfer under way here. */
  open(): readonly Open[]
  /** Those of these users who lack a second factor that is required of them. */
  withoutFactor(userIds: readonly string[]): Promise<readonly string[]>
  onError(error: unknown): void
}

const atOnce = 500

async function endedOf(db: Db, sessions: ReadonlyMap<string, string>): Promise<string[]> {
  const ids = [...sessions.keys()]
  const ended = new Set(ids)
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = padded(ids.slice(at, at + atOnce))
    const rows = await db.read.all<{ id: string }>(`select id from sessions where id in (${placesOf(some)})`, some)
    for (const { id } of rows) ended.delete(id)
  }
  return [...ended]
}

/**
 * Ends what is open in this process and should not be, by the database, whenever notices of other processes may have
 * been missed.
 */
export function endWhatWasMissed({ background, db, bus, open, withoutFactor, onError }: Dependencies): {
  settled(): Promise<void>
} {
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const sessions = new Map(open().map(({ id, userId }) => [id, userId]))
    for (const id of await endedOf(db, sessions))
      bus.publishHere('sessionEnded', { sessionIds: [id], userId: sessions.get(id) ?? '' })
    for (const userId of await withoutFactor([...new Set(sessions.values())]))
      bus.publishHere('factorMissing', { userId })
  }

  const lookOnce = oneAtATime(() => look().catch(onError))
  bus.subscribe('missed', () => background.run('what was missed', () => (looking = lookOnce())))
  return { settled: async () => looking }
}
