import { E2eeError } from '@privity/e2ee'
import { CallError, isCallError } from '../callError.ts'
import type { WritableStore } from '../store.ts'
import type { Transfer } from '../types.ts'

/** Runs files on their way: what a screen shows of each, cancelling, trying again. */
export interface Transfers {
  /**
   * `work` may be run again by retry; it picks up from what it has already done. `giveUp` takes back what a failed
   * one has left behind.
   */
  start(transfer: Omit<Transfer, 'done' | 'phase'>, work: Work, giveUp?: () => Promise<void>): void
  cancel(id: string): void
  retry(id: string): void
  dismiss(id: string): void
  stop(): void
}

export interface Progress {
  signal: AbortSignal
  phase(phase: Transfer['phase'], size?: number): void
  done(bytes: number): void
}

export type Work = (progress: Progress) => Promise<void>

const failed = 'The file could not be transferred.'

function sentenceOf(error: unknown): string {
  if (isCallError(error)) return error.sentence
  if (error instanceof E2eeError)
    return error.code === 'TOO_LONG' ? error.message : new CallError('FILE_DAMAGED').sentence
  return failed
}

export function createTransfers(store: WritableStore<readonly Transfer[]>): Transfers {
  const running = new Map<string, AbortController>()
  const works = new Map<string, { work: Work; giveUp: (() => Promise<void>) | undefined }>()

  const change = (id: string, next: Partial<Transfer>) =>
    store.set(store.get().map((each) => (each.id === id ? { ...each, ...next } : each)))

  async function run(id: string): Promise<void> {
    const work = works.get(id)?.work
    if (!work || running.has(id)) return
    const controller = new AbortController()
    running.set(id, controller)
    const { signal } = controller
    try {
      await work({
        signal,
        phase: (phase, size) => change(id, { phase, done: 0, ...(size !== undefined && { size }) }),
        done: (done) => change(id, { done }),
      })
      change(id, { phase: 'done' })
      works.delete(id)
    } catch (error) {
      if (signal.aborted) change(id, { phase: 'cancelled' })
      else change(id, { phase: 'failed', error: sentenceOf(error) })
    } finally {
      running.delete(id)
    }
  }

  return {
    start(transfer, work, giveUp) {
      works.set(transfer.id, { work, giveUp })
      store.set([...store.get(), { ...transfer, done: 0, phase: 'preparing' }])
      void run(transfer.id)
    },
    cancel: (id) => running.get(id)?.abort(new DOMException('Cancelled.', 'AbortError')),
    retry(id) {
      if (running.has(id) || !works.has(id)) return
      change(id, { phase: 'preparing', done: 0, error: undefined })
      void run(id)
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
      for (const controller of running.values()) controller.abort()
      works.clear()
      store.set([])
    },
  }
}
