import { Worker } from 'node:worker_threads'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import { databasePath } from '../../../core/dataFolder/dataFolder.ts'
import type { Tx } from '../../../core/database/types.ts'
import { newId } from '../../../core/ids.ts'
import type { Suspicion } from './findSuspicious.ts'
import { insertFlag, selectScannedUntil, setScannedUntil } from './queries.ts'
import { readFlagged, readSent } from './scanPages.ts'
import type { ScanReplies, ScanFinding, ScanTask } from './scanWorker.ts'

/** Flags stored in one transaction; other writes wait no longer than for these. */
const batchSize = 500
/** A message can be stored a moment after its time: the next scan looks again at messages this young (ms). */
const settleMs = 60_000

/**
 * Runs in a thread of its own: reading a million rows must not delay senders. If the database is not a file, this
 * thread only hands over the pages, one at a time.
 */
async function findInThread(core: Core, task: ScanTask): Promise<ScanFinding> {
  const worker = new Worker(new URL('./scanWorker.ts', import.meta.url), { workerData: task })
  const pages = readSent(core.db.read, task.now)
  try {
    return await new Promise<ScanFinding>((resolve, reject) => {
      async function answer(asked: keyof ScanReplies): Promise<void> {
        const rows = asked === 'flagged' ? await readFlagged(core.db.read, task.now) : (await pages.next()).value
        worker.postMessage(rows)
      }
      worker.on('message', (message: ScanFinding | keyof ScanReplies) => {
        if (typeof message === 'string') answer(message).catch(reject)
        else resolve(message)
      })
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('the scan ended without a finding')))
    })
  } finally {
    await worker.terminate()
  }
}

/** The founder who requested the scan. */
export interface Scanner {
  address: string
}

/** Stores the findings; returns how many are new and still there. */
async function storeFlags(
  core: Core,
  tx: Tx,
  found: readonly Suspicion[],
  published: Set<string>,
  now: number,
): Promise<number> {
  let flagged = 0
  for (const suspicion of found) {
    const { changes } = await insertFlag(tx, newId(now), suspicion, now)
    if (changes === 0) continue
    flagged += changes
    const { rule, senderId } = suspicion
    const about = `${rule}/${senderId}`
    // Published once per sender and rule: subscribers write to the database, and need not do so a thousand times.
    tx.afterCommit(() => {
      if (published.has(about)) return
      published.add(about)
      core.bus.publish('messageFlagged', { rule, senderId })
    })
  }
  return flagged
}

async function scan(core: Core, by: Scanner): Promise<number> {
  const now = core.clock.now()
  const path = core.config.postgres === undefined ? databasePath(core.config.dataDir) : undefined
  const scannedUntil = await selectScannedUntil(core.db.read, now)
  const { suspicions } = await findInThread(core, { path, now, scannedUntil })
  const published = new Set<string>()
  let flaggedCount = 0
  for (let index = 0; index === 0 || index < suspicions.length; index += batchSize) {
    const isLast = index + batchSize >= suspicions.length
    flaggedCount += await core.db.write(async (tx) => {
      const flagged = await storeFlags(core, tx, suspicions.slice(index, index + batchSize), published, now)
      if (isLast) await setScannedUntil(tx, now - settleMs)
      const details = { flagged }
      await audit(tx, { action: 'messages_scanned', actorId: 'founder', address: by.address, details, at: now })
      return flagged
    })
  }
  return flaggedCount
}

const running = new WeakMap<Core, Promise<unknown>>()

/**
 * Flags suspicious messages of the last 24 hours, by who wrote to whom and when, and by repetition tags; returns the
 * number of new flags. Scans run one after another.
 */
export function scanMessages(core: Core, by: Scanner): Promise<number> {
  const before = running.get(core) ?? Promise.resolve()
  const current = before.then(
    () => scan(core, by),
    () => scan(core, by),
  )
  running.set(core, current)
  return current
}
