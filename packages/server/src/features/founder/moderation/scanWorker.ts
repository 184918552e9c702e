import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { FlagRule } from '../../../core/database/tables/security.ts'
import { findSuspicious, type Suspicion } from './findSuspicious.ts'
import { createHistories, type SentRow } from './histories.ts'
import type { Flagged } from './rules.ts'
import { openScannedFile } from './scanFile.ts'
import type { FlaggedRow } from './scanPages.ts'

export interface ScanTask {
  /** The database file; undefined if the parent thread has to supply the rows. */
  path: string | undefined
  now: number
  scannedUntil: number
}

export interface ScanFinding {
  suspicions: Suspicion[]
  messages: number
}

/** The questions to the parent thread, with the type of each reply. */
export interface ScanReplies {
  flagged: FlaggedRow[]
  /** undefined after the last page. */
  sent: readonly SentRow[] | undefined
}

interface Source {
  flagged: readonly FlaggedRow[]
  sent: Iterable<readonly SentRow[]> | AsyncIterable<readonly SentRow[]>
  close?: () => void
}

const { path, now, scannedUntil } = workerData as ScanTask

async function request<Question extends keyof ScanReplies>(question: Question): Promise<ScanReplies[Question]> {
  if (parentPort === null) throw new Error('a scan runs in a thread of its own')
  const answer = once(parentPort, 'message')
  parentPort.postMessage(question)
  const [answered] = (await answer) as [ScanReplies[Question]]
  return answered
}

async function* requestSent(): AsyncGenerator<readonly SentRow[]> {
  for (let rows = await request('sent'); rows !== undefined; rows = await request('sent')) yield rows
}

async function openSource(): Promise<Source> {
  if (path === undefined) return { flagged: await request('flagged'), sent: requestSent() }
  return openScannedFile(path, now)
}

const keyOf = (rule: FlagRule, senderId: string) => `${rule}/${senderId}`

function byRuleAndSender(rows: readonly FlaggedRow[]): Map<string, Flagged[]> {
  const flagged = new Map<string, Flagged[]>()
  for (const { rule, sender_id: senderId, repetition: tag, sent_at: at } of rows) {
    const key = keyOf(rule, senderId)
    const known = flagged.get(key)
    if (known === undefined) flagged.set(key, [{ at, tag }])
    else known.push({ at, tag })
  }
  return flagged
}

async function scan(source: Source): Promise<ScanFinding> {
  const flagged = byRuleAndSender(source.flagged)
  const histories = createHistories()
  let messages = 0
  for await (const rows of source.sent) {
    messages += rows.length
    for (const row of rows) histories.add(row)
  }
  const flaggedBefore = (...key: Parameters<typeof keyOf>) => flagged.get(keyOf(...key)) ?? []
  const suspicions: Suspicion[] = []
  for (const [senderId, history] of histories.bySender())
    suspicions.push(...findSuspicious(senderId, history, flaggedBefore, scannedUntil))
  return { suspicions, messages }
}

const source = await openSource()
try {
  parentPort?.postMessage(await scan(source))
} finally {
  source.close?.()
}
