import type { Kind, Row, Store } from './types.ts'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { openPostgres } from './postgres.ts'

function open(path: string) {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`create table if not exists messages (id integer primary key, connection_id text not null, sender_id text not null,
    content text not null, created_at integer not null);
    create index if not exists messages_by_connection on messages (connection_id, id)`)
  const insert = db.prepare('insert into messages (connection_id, sender_id, content, created_at) values (?, ?, ?, ?)')
  const newest = db.prepare('select * from messages where connection_id = ? order by id desc limit ?')
  const one = (row: Row) =>
    Number(insert.run(row.connectionId, row.senderId, row.content, row.createdAt).lastInsertRowid)
  return {
    one,
    many: db.transaction((rows: Row[]) => rows.map(one)),
    past: (connectionId: string, count: number) => newest.all(connectionId, count).toReversed(),
  }
}

/** Batches the rows that arrive while `maxRunning` earlier batches are being written. */
function batchWrites(write: (rows: Row[]) => Promise<number[]> | number[], maxRunning = 1) {
  let waiting: { row: Row; resolve: (id: number) => void; reject: (error: unknown) => void }[] = []
  let running = 0
  async function pump() {
    if (running >= maxRunning || waiting.length === 0) return
    running += 1
    const batch = waiting
    waiting = []
    try {
      const ids = await write(batch.map((each) => each.row))
      for (const [i, each] of batch.entries()) each.resolve(ids[i] as number)
    } catch (error) {
      for (const each of batch) each.reject(error)
    }
    running -= 1
    setImmediate(() => void pump())
  }
  return (row: Row) =>
    new Promise<number>((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (waiting.length === 1) setImmediate(() => void pump())
    })
}

function onWorker(path: string) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { path } })
  const jobs = new Map<number, (ids: number[]) => void>()
  let last = 0
  worker.on('message', ({ job, ids }: { job: number; ids: number[] }) => {
    jobs.get(job)?.(ids)
    jobs.delete(job)
  })
  return (rows: Row[]) =>
    new Promise<number[]>((resolve) => {
      jobs.set(++last, resolve)
      worker.postMessage({ job: last, rows })
    })
}

export async function openStore(kind: Kind, path: string): Promise<Store> {
  if (kind === 'pg') {
    const { many, past: selectNewest } = await openPostgres(process.env.FLOOR_URL ?? '')
    return { add: batchWrites(many, 2), newest: selectNewest }
  }
  const { one, many, past: selectNewest } = open(path)
  if (kind === 'worker') return { add: batchWrites(onWorker(path)), newest: selectNewest }
  return { add: kind === 'group' ? batchWrites(many) : async (row) => one(row), newest: selectNewest }
}

if (!isMainThread && (workerData as { path?: string } | null)?.path) {
  const { many } = open((workerData as { path: string }).path)
  parentPort?.on('message', ({ job, rows }: { job: number; rows: Row[] }) =>
    parentPort?.postMessage({ job, ids: many(rows) }),
  )
}
