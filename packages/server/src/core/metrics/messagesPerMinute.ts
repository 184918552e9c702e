import type { Reader, Tx } from '../database/types.ts'

/**
 * Counts the messages sent in each minute of the last 24 hours: a row for each minute and process, written in the
 * transaction that stores the messages. So no crash loses or doubles any, and no two processes write the same row.
 */
export interface SentMessages {
  /** Counts `messages` that this transaction stores. */
  count(tx: Tx, at: number, messages: number): Promise<void>
}

const minuteMs = 60_000
const minutesPerDay = 24 * 60

export const minuteOf = (at: number): number => Math.floor(at / minuteMs)
/** Returns the minute in which the 24 hours up to `now` begin. */
export const firstMinute = (now: number): number => minuteOf(now) - minutesPerDay

const addToMinute = `insert into message_minutes (minute, process, messages) values (?, ?, ?)
  on conflict (minute, process) do update set messages = message_minutes.messages + excluded.messages`

/** `process` is any name that no other running process has. */
export function createSentMessages(process: string): SentMessages {
  return {
    async count(tx, at, messages) {
      await tx.run(addToMinute, [minuteOf(at), process, messages])
    },
  }
}

/** Counts the messages of the last 24 hours, including all of the minute in which these begin. */
export async function countSentLastDay(db: Reader, now: number): Promise<number> {
  const row = await db.get<{ messages: number | null }>(
    'select sum(messages) as messages from message_minutes where minute >= ?',
    [firstMinute(now)],
  )
  return row?.messages ?? 0
}

/** Counts the messages of each of the last `minutes` minutes; the last one is the current one. */
export async function countSentPerMinute(db: Reader, now: number, minutes: number): Promise<number[]> {
  const first = minuteOf(now) - minutes + 1
  const counts = Array.from({ length: minutes }, () => 0)
  const rows = await db.all<{ minute: number; messages: number }>(
    'select minute, sum(messages) as messages from message_minutes where minute between ? and ? group by minute',
    [first, first + minutes - 1],
  )
  for (const { minute, messages } of rows) counts[minute - first] = messages
  return counts
}

export const deleteSentMinutes = (tx: Tx, before: number) =>
  tx.run('delete from message_minutes where minute < ?', [before])
