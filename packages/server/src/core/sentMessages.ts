import type { Db, Reader } from './db.ts'

/**
 * How many messages were sent in each minute of the last 24 hours. In memory, written down by a job and at a stop:
 * the path of a message bears one addition. A killed process loses nothing, because the start counts the messages of
 * the minutes since the last writing again; of those it finds all but what was removed in the seconds before the kill.
 */
export interface SentMessages {
  count(at: number): void
  /** Messages of the last 24 hours, and of the rest of the minute in which they begin. */
  lastDay(now: number): number
  /** Messages of each of the last `minutes` minutes; the last one is the current one. */
  perMinute(now: number, minutes: number): number[]
  /** Writes down what was counted since the last time, and forgets what is older than a day. */
  save(now: number): Promise<void>
}

interface Count {
  messages: number
  saved: number
}

const minuteLength = 60_000
const day = 24 * 60

export const minuteOf = (at: number): number => Math.floor(at / minuteLength)
/** The minute in which the 24 hours up to `now` begin. */
export const firstMinute = (now: number): number => minuteOf(now) - day

/** How many messages are read at a time when they are counted again. */
const rowsAtOnce = 1_000

/**
 * The messages stored since the beginning of `minute`, by minute, newest first; rows have the order in which they were
 * stored, so that no index by time is needed.
 */
async function countAgain(db: Reader, minute: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await db.all<{ place: number; created_at: number }>(
      'select rowid as place, created_at from messages where rowid < ? order by rowid desc limit ?',
      [before, rowsAtOnce],
    )
    for (const { place, created_at } of rows) {
      const at = minuteOf(created_at)
      if (at < minute) return counts
      counts.set(at, (counts.get(at) ?? 0) + 1)
      before = place
    }
    if (rows.length < rowsAtOnce) return counts
  }
}

async function load(db: Reader, now: number): Promise<Map<number, Count>> {
  const rows = await db.all<{ minute: number; messages: number }>(
    'select minute, messages from message_minutes where minute >= ? order by minute',
    [firstMinute(now)],
  )
  const counts = new Map(rows.map(({ minute, messages }) => [minute, { messages, saved: messages }]))
  // Whatever minutes lie before the last one that was written down were over by then.
  for (const [minute, stored] of await countAgain(db, rows.at(-1)?.minute ?? firstMinute(now))) {
    const known = counts.get(minute) ?? { messages: 0, saved: 0 }
    counts.set(minute, { ...known, messages: Math.max(known.messages, stored) })
  }
  return counts
}

export async function openSentMessages(db: Db, now: number): Promise<SentMessages> {
  const counts = await load(db.read, now)

  function forget(first: number): void {
    for (const minute of counts.keys()) if (minute < first) counts.delete(minute)
  }

  return {
    count(at) {
      const minute = minuteOf(at)
      const count = counts.get(minute)
      if (count === undefined) counts.set(minute, { messages: 1, saved: 0 })
      else count.messages += 1
    },
    lastDay(now) {
      const first = firstMinute(now)
      let sum = 0
      for (const [minute, { messages }] of counts) if (minute >= first) sum += messages
      return sum
    },
    perMinute(now, minutes) {
      const first = minuteOf(now) - minutes + 1
      return Array.from({ length: minutes }, (_, at) => counts.get(first + at)?.messages ?? 0)
    },
    async save(now) {
      const first = firstMinute(now)
      forget(first)
      const unsaved = [...counts]
        .filter(([, { messages, saved }]) => messages !== saved)
        .map(([minute, count]) => ({ minute, count, messages: count.messages }))
      const old = await db.read.get('select 1 from message_minutes where minute < ? limit 1', [first])
      if (unsaved.length === 0 && old === undefined) return
      await db.write(async (tx) => {
        await tx.run('delete from message_minutes where minute < ?', [first])
        for (const { minute, messages } of unsaved)
          await tx.run(
            `insert into message_minutes (minute, messages) values (?, ?)
             on conflict (minute) do update set messages = excluded.messages`,
            [minute, messages],
          )
      })
      for (const { count, messages } of unsaved) count.saved = messages
    },
  }
}
