import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CheckpointResult, CheckpointMode } from './checkpointWorker.ts'

export interface Checkpoints {
  /** PASSIVE moves pages beside writers; TRUNCATE waits for writers and empties the log. */
  run(mode: CheckpointMode): Promise<void>
  close(): Promise<void>
}

/**
 * Moves the write-ahead log of the database at `path` into it, on a thread started on demand: a checkpoint syncs two
 * files, and the thread that serves requests must not wait for a disk.
 */
export function createCheckpoints(path: string): Checkpoints {
  let worker: Worker | undefined
  let previous = Promise.resolve()

  async function runOnWorker(mode: CheckpointMode): Promise<void> {
    if (worker === undefined) {
      worker = new Worker(new URL('./checkpointWorker.ts', import.meta.url), { workerData: path })
      worker.unref()
    }
    const target = worker
    target.ref()
    try {
      const result = await request(target, mode)
      if ('failed' in result) throw Object.assign(new Error(result.failed.message), result.failed)
    } finally {
      target.unref()
    }
  }

  /** Drops a worker that fails; the next call starts another one. */
  async function request(target: Worker, mode: CheckpointMode): Promise<CheckpointResult> {
    const ended = new AbortController()
    const end = () => ended.abort()
    target.once('exit', end)
    try {
      target.postMessage(mode)
      const [result] = (await once(target, 'message', { signal: ended.signal })) as [CheckpointResult]
      return result
    } catch (error) {
      worker = undefined
      throw error
    } finally {
      target.off('exit', end)
    }
  }

  return {
    run(mode) {
      const running = previous.then(() => runOnWorker(mode))
      previous = running.catch(() => {})
      return running
    },
    async close() {
      await previous
      await worker?.terminate()
    },
  }
}
