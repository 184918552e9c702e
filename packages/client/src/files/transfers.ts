import { E2eeError } from '@privity/e2ee'
import { CallError, isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { WritableStore } from '../transport/store.ts'
import type { Transfer } from '../types.ts'

/** Runs uploads and downloads: their visible state, cancelling and retrying. */
export interface Transfers {
  /** `work` runs again on retry and continues from what it has done. `giveUp` cleans up after a dismissed failure. */
  start(transfer: Omit<Transfer, 'done' | 'phase'>, work: Work, giveUp?: () => Promise<void>): void
  cancel(id: string): void
  retry(id: string): void
  /** Retries uploads that failed because the server could not be reached or was unavailable (5xx). */
  resume(): void
  dismiss(id: string): void
  /** Stops all transfers for good. */
  stop(): void
}

export interface TransferProgress {
  signal: AbortSignal
  phase(phase: Transfer['phase'], size?: number): void
  done(bytes: number): void
}

export type Work = (progress: TransferProgress) => Promise<void>

const unknownErrorMessage = 'The file could not be transferred.'

function reasonOf(error: unknown): Pick<Transfer, 'error' | 'code'> {
  if (isCallError(error)) return { error: error.sentence, code: error.code }
  return error instanceof E2eeError ? reasonOf(new CallError('FILE_DAMAGED')) : { error: unknownErrorMessage }
}

/** Delay before an upload that could not reach the server is retried, unless the socket reconnects first. */
const retryDelayMs = 15_000

/** The phases in which the first attempt of a transfer sends nothing of the file. */
const localPhases: ReadonlySet<Transfer['phase']> = new Set(['preparing', 'encrypting'])
const isLocal = (transfer: Transfer | undefined) => transfer !== undefined && localPhases.has(transfer.phase)

export function createTransfers(store: WritableStore<readonly Transfer[]>, clock: Clock): Transfers {
  const running = new Map<string, AbortController>()
  let stopped = false
  const works = new Map<string, { work: Work; giveUp: (() => Promise<void>) | undefined }>()

  const find = (id: string) => store.get().find((each) => each.id === id)
  const change = (id: string, next: Partial<Transfer>) =>
    store.set(store.get().map((each) => (each.id === id ? { ...each, ...next } : each)))

  function fail(id: string, error: unknown): void {
    const resumes = isCallError(error, 'OFFLINE', 'UNAVAILABLE') && find(id)?.kind === 'upload'
    change(id, { phase: 'failed', ...reasonOf(error), ...(resumes && { resumes }) })
    // The socket may have noticed nothing, so nothing else would trigger the retry.
    if (resumes) clock.after(retryDelayMs, () => find(id)?.resumes && retry(id))
  }

  async function run(id: string): Promise<void> {
    const work = works.get(id)?.work
    if (!work || running.has(id)) return
    const controller = new AbortController()
    running.set(id, controller)
    const { signal } = controller
    const progress = (next: Partial<Transfer>) => signal.aborted || change(id, next)
    const working = work({
      signal,
      phase: (phase, size) => void progress({ phase, done: 0, ...(size !== undefined && { size }) }),
      done: (done) => void progress({ done }),
    })
    // While the server does not deliver the code of a local phase, that code cannot react to the signal. A transfer
    // that is cancelled then ends without waiting for it.
    const cancelled = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => isLocal(find(id)) && reject(signal.reason as Error))
    })
    try {
      await Promise.race([working, cancelled])
      change(id, { phase: 'done' })
      works.delete(id)
    } catch (error) {
      if (signal.aborted) change(id, { phase: 'cancelled' })
      else fail(id, error)
    } finally {
      running.delete(id)
    }
  }

  function retry(id: string): void {
    if (running.has(id) || !works.has(id)) return
    change(id, { phase: 'preparing', done: 0, error: undefined, code: undefined, resumes: undefined })
    void run(id)
  }

  return {
    start(transfer, work, giveUp) {
      if (stopped) throw new CallError('NOT_SIGNED_IN')
      works.set(transfer.id, { work, giveUp })
      store.set([...store.get(), { ...transfer, done: 0, phase: 'preparing' }])
      void run(transfer.id)
    },
    cancel: (id) => running.get(id)?.abort(new DOMException('Cancelled.', 'AbortError')),
    retry,
    resume() {
      for (const { id, resumes } of store.get()) if (resumes) retry(id)
    },
    dismiss(id) {
      if (running.has(id)) return
      works
        .get(id)
        ?.giveUp?.()
        .catch(() => {})
      works.delete(id)
      store.set(store.get().filter((each) => each.id !== id))
    },
    stop() {
      stopped = true
      for (const controller of running.values()) controller.abort()
      works.clear()
      store.set([])
    },
  }
}
