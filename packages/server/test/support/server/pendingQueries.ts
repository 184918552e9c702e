import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../src/core/database/types.ts'

/** By the address of a server: resolves once it has asked its database all that follows from what it was called. */
const idle = new Map<string, () => Promise<void>>()

type Asks = (...given: never[]) => Promise<unknown>

/**
 * What follows from a call after its answer, such as a notice, takes a question or two of the database: none that
 * takes a turn on SQLite, where a pong comes after all of them; on PostgreSQL each is a journey of its own.
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
