import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CheckpointAnswer, CheckpointMode } from './checkpointWorker.ts'

export interface Checkpoints {
  /** PASSIVE moves what it can while others write; TRUNCATE waits for them and empties the log. */
  run(mode: CheckpointMode): Promise<void>
  close(): Promise<void>
}

/**
 * Moves the write-ahead log of the database at `path` into it on a thread of its own, started when first
 * wanted: a checkpoint syncs two files, and the thread that answers requests must not wait for a disk.
 */
export function createCheckpoints(path: string): Checkpoints {
  let worker: Worker | undefined
  let last = Promise.resolve()

  async function ask(mode: CheckpointMode): Promise<void> {
    if (worker === undefined) {
      worker = new Worker(new URL('./checkpointWorker.ts', import.meta.url), { workerData: path })
      worker.unref()
    }
    const asked = worker
    asked.ref()
    asked.postMessage(mode)
    try {
      const [answer] = (await once(asked, 'message')) as [CheckpointAnswer]
      if ('failed' in answer) throw Object.assign(new Error(answer.failed.message), answer.failed)
    } catch (error) {
      // A thread that died is replaced at the next try.
      if (asked.threadId === -1) worker = undefined
      throw error
    } finally {
      asked.unref()
    }
  }

  return {
    run(mode) {
      const asked = last.then(() => ask(mode))
      last = asked.catch(() => {})
      return asked
    },
    async close() {
      await last
      await worker?.terminate()
    },
  }
}
