import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CheckpointAnswer, CheckpointMode } from './checkpointWorker.ts'

export interface Checkpoints {
  /** PASSIVE moves what it can beside writers; TRUNCATE waits for them and empties the log. */
  run(mode: CheckpointMode): Promise<void>
  close(): Promise<void>
}

/**
 * Moves the write-ahead log of the database at `path` into it, on a thread started on demand: a checkpoint syncs two
 * files, and the thread that serves requests must not wait for a disk.
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
    try {
      const answer = await answerOf(asked, mode)
      if ('failed' in answer) throw Object.assign(new Error(answer.failed.message), answer.failed)
    } finally {
      asked.unref()
    }
  }

  /** A worker that fails emits 'error' before 'exit'. It is dropped either way; the next call starts another one. */
  async function answerOf(asked: Worker, mode: CheckpointMode): Promise<CheckpointAnswer> {
    const ended = new AbortController()
    const end = () => ended.abort()
    asked.once('exit', end)
    try {
      asked.postMessage(mode)
      const [answer] = (await once(asked, 'message', { signal: ended.signal })) as [CheckpointAnswer]
      return answer
    } catch (error) {
      worker = undefined
      throw error
    } finally {
      asked.off('exit', end)
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
