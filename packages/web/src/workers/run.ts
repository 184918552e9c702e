import { CallError } from '@privity/client'
import { startWorker } from '../browser/trustedTypes.ts'

export interface Settle<Result> {
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

/**
 * One job in a Worker of its own, which ends with it and takes its memory along. `hear` gets every message and
 * answers with `settle` when one is the last; an abort ends the Worker at once.
 */
export async function runInWorker<Result>(
  url: string,
  job: unknown,
  hear: (event: MessageEvent, settle: Settle<Result>) => void,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted()
  const worker = startWorker(url)
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.addEventListener('message', (event) => hear(event, { resolve, reject }))
      // Without a message its script could not be fetched.
      worker.addEventListener('error', ({ message }) => reject(message ? new Error(message) : new CallError('OFFLINE')))
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      worker.postMessage(job)
    })
  } finally {
    worker.terminate()
  }
}
