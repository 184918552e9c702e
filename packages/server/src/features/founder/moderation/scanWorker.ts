import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '../../../core/sqlite.ts'
import type { FlagRule } from '../../../core/rows/moderation.ts'
import { findSuspicious, type Suspicion } from './findSuspicious.ts'
import { createHistories, type SentRow } from './histories.ts'
import type { Flagged } from './rules.ts'

export interface ScanTask {
  path: string
  now: number
  scannedUntil: number
}

export interface ScanFinding {
  suspicions: Suspicion[]
  messages: number
}

/** Rows read at a time, about: each read ends before the next, so that none keeps the log from being emptied. */
const readAtOnce = 20_000

const { path, now, scannedUntil } = workerData as ScanTask
const database = openSqlite(path)
database.exec('pragma query_only = ON')

interface FlaggedRow {
  rule: FlagRule
  sender_id: string
  repetition: string | null
  sent_at: number
}

const keyOf = (rule: FlagRule, senderId: string) => `${rule}/${senderId}`

function readFlagged(): Map<string, Flagged[]> {
  const flagged = new Map<string, Flagged[]>()
  const rows = database
    .prepare(
      `select rule, sender_id, repetition, sent_at from message_flags
       where rule <> 'report' and expires_at > ? order by sent_at`,
    )
    .all([now]) as FlaggedRow[]
  for (const { rule, sender_id: senderId, repetition: tag, sent_at: at } of rows) {
    const key = keyOf(rule, senderId)
    const known = flagged.get(key)
    if (known === undefined) flagged.set(key, [{ at, tag }])
    else known.push({ at, tag })
  }
  return flagged
}

/** Slice after slice of the time in which messages expire, each about as many rows as the one before asks for. */
function* readSent(): Iterable<readonly SentRow[]> {
  const { last } = database.prepare('select max(expires_at) as last from messages').get([]) as { last: number | null }
  const slice = database.prepare(
    `select rowid, sender_id, connection_id, created_at, repetition from messages indexed by messages_by_expiry
     where expires_at > ? and expires_at <= ? order by expires_at`,
  )
  let width = Math.max(1, Math.ceil(((last ?? now) - now) / 64))
  for (let from = now; last !== null && from < last;) {
    const to = Math.min(last, from + width)
    const rows = slice.values([from, to]) as unknown as SentRow[]
    yield rows
    from = to
    width = Math.max(1, Math.ceil(width * Math.min(4, Math.max(0.1, readAtOnce / (rows.length + 1)))))
  }
}

function scan(): ScanFinding {
  const flagged = readFlagged()
  const histories = createHistories()
  let messages = 0
  for (const rows of readSent()) {
    messages += rows.length
    for (const row of rows) histories.add(row)
  }
  const flaggedBefore = (...key: Parameters<typeof keyOf>) => flagged.get(keyOf(...key)) ?? []
  const suspicions: Suspicion[] = []
  for (const [senderId, history] of histories.bySender())
    suspicions.push(...findSuspicious(senderId, history, flaggedBefore, scannedUntil))
  return { suspicions, messages }
}

try {
  parentPort?.postMessage(scan())
} finally {
  database.close()
}
