import { loadError } from '@privity/client'
import { startWorker } from '../browser/trustedTypes.ts'

export interface Settle<Result> {
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

/** Rejects when a script of the worker cannot be loaded or throws; then the worker never answers. */
export function rejectOnFailure(worker: Worker, reject: (error: Error) => void): void {
  // An error without a message means that the script, or one that it imports, could not be loaded.
  worker.addEventListener('error', ({ message }) =>
    message ? reject(new Error(message)) : void loadError().then(reject),
  )
}

/**
 * Runs one job in its own worker, which is terminated afterwards to free its memory. `onMessage` gets every message and
 * calls `settle` for the last one. An abort terminates the worker immediately.
 */
export async function runInWorker<Result>(
  url: string,
  job: unknown,
  onMessage: (event: MessageEvent, settle: Settle<Result>) => void,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted()
  const worker = startWorker(url)
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.addEventListener('message', (event) => onMessage(event, { resolve, reject }))
      worker.addEventListener('messageerror', () => reject(new Error('The result cannot be read.')))
      rejectOnFailure(worker, reject)
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      worker.postMessage(job)
    })
  } finally {
    worker.terminate()
  }
}
