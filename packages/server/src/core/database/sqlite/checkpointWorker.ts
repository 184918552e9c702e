import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from './driver.ts'

export type CheckpointMode = 'PASSIVE' | 'TRUNCATE'
/** `failed` holds the fields of an error, because an Error object loses SQLite's codes between threads. */
export type CheckpointResult = { done: true } | { failed: { message: string; code?: string; errcode?: number } }

const database = openSqlite(workerData as string)
database.exec('pragma synchronous = FULL')

function run(mode: CheckpointMode): CheckpointResult {
  try {
    const { busy } = database.prepare(`pragma wal_checkpoint(${mode})`).get([]) as { busy: number }
    if (busy && mode === 'TRUNCATE') return { failed: { message: 'the log is in use' } }
    return { done: true }
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: string; errcode?: number }
    return { failed: { message, ...(code && { code }), ...(errcode && { errcode }) } }
  }
}

parentPort?.on('message', (mode: CheckpointMode) => parentPort?.postMessage(run(mode)))
