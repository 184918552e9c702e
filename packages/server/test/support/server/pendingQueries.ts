import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../src/core/database/types.ts'

/** Functions by server URL; each resolves once the queries that follow from earlier calls are done. */
const idle = new Map<string, () => Promise<void>>()

type Asks = (...given: never[]) => Promise<unknown>

/**
 * Tracks the queries that follow a call after its response, such as those for a notice. On SQLite, all of them run
 * before a pong; on PostgreSQL, each takes a round trip.
 */
export function watchQuestions(url: string, db: Db): void {
  const asked = new Set<Promise<unknown>>()
  function watch<Key extends string>(of: Record<Key, Asks>, key: Key): void {
    const ask = of[key].bind(of)
    of[key] = (...given) => {
      const answer = ask(...given)
      asked.add(answer)
      const end = () => void asked.delete(answer)
      answer.then(end, end)
      return answer
    }
  }
  watch(db.read, 'get')
  watch(db.read, 'all')
  watch(db.read.kysely.getExecutor(), 'executeQuery')
  watch(db, 'write')
  idle.set(url, async () => {
    do {
      await Promise.allSettled(asked)
      await setImmediate()
    } while (asked.size > 0)
  })
}

export const untilIdle = async (url: string): Promise<void> => idle.get(url)?.()
