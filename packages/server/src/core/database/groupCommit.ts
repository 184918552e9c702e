import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import { AppError } from '@privity/contract/errors'
import { isCollision, failsTransaction, isUniqueViolation, toAppError } from './errors.ts'
import type { Isolation, Tx, BatchWatch } from './types.ts'

/** The connection that writes. */
export interface Writer {
  statements: Omit<Tx, 'afterCommit'>
  /** Throws UNAVAILABLE if the database cannot be reached. */
  begin(isolation: Isolation): Promise<void>
  /** Whether work of this isolation may share a transaction with other work. */
  canShare(isolation: Isolation): boolean
  /** Throws UNAVAILABLE if the outcome of the commit is unknown. */
  commit(): Promise<void>
  /** Rolls back the open transaction, if there is one. */
  rollback(): Promise<void>
  /** The error of a statement that has made the transaction unusable, if any. */
  failure(): unknown
  /**
   * Whether to repeat a batch that failed with this error, of which nothing was kept; `tries` counts its repetitions so
   * far. Pauses before it resolves to true.
   */
  canRepeat(error: unknown, tries: number): Promise<boolean>
  /** Whether anything was changed since the last call. A statement that found no rows to change does not count. */
  hasWritten(): boolean
  /** Resolves once everything committed is on disk. */
  sync(): Promise<void>
}

/** Handlers for failures that no caller awaits. */
export interface ErrorHooks {
  /** An afterCommit hook failed. */
  onError(error: unknown): void
  /** The outcome of a batch is unknown: its hooks never run, although its changes may have been kept. */
  onUncertain?: (() => void) | undefined
}

export interface GroupCommit {
  write<T>(work: (tx: Tx) => Promise<T>, isolation?: Isolation): Promise<T>
  /** Runs `task` while no batch is in flight; later batches wait for it. */
  runBetween(task: () => Promise<void> | void): Promise<void>
  /** Accepts no more work, and resolves when all waiting work has settled. */
  finish(): Promise<void>
}

interface Job {
  work: (tx: Tx) => Promise<unknown>
  isolation: Isolation
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Unique violations so far. Another process may have caused them, so the work is repeated below a limit. */
  uniqueRetries: number
}

type Outcome = { value: unknown; hooks: (() => void)[] } | { error: unknown }

/**
 * The job whose failure rolled back the batch. `error` is for its caller; `cause` is that of the statement that made
 * the transaction unusable, undefined if the work itself threw after a change.
 */
interface FailedJob {
  failed: Job
  error: unknown
  cause: unknown
}

/** Bounds how long one batch blocks the event loop. */
const maxBatchSize = 200

/** Bounds memory while the database does not respond. */
const maxWaiting = 10_000

const maxUniqueRetries = 3

/** Returns the jobs at the front that can share a transaction. */
function selectBatch(jobs: readonly Job[], canShare: Writer['canShare']): Job[] {
  const unshared = jobs.findIndex(({ isolation }) => !canShare(isolation))
  return jobs.slice(0, Math.min(maxBatchSize, unshared === -1 ? jobs.length : Math.max(unshared, 1)))
}

/**
 * Concurrent calls share one COMMIT and one sync of the disk, because syncs limit a durable store. The thread is free
 * during the sync and collects the next batch. After a failed sync the contents of the disk are unknown, so
 * nothing is written until a restart. A call that fails before its first change needs no rollback; if it fails later,
 * the batch is rolled back and written again without it. (A savepoint per call would cost more than storing a message.)
 */
export function createGroupCommit(
  writer: Writer,
  { onError, onUncertain = () => {} }: ErrorHooks,
  watch?: BatchWatch,
): GroupCommit {
  const { statements, hasWritten, sync } = writer
  let waiting: Job[] = []
  let isRunning = false
  let finished = false
  let syncFailure: { error: unknown } | undefined
  const betweenBatches: (() => Promise<void>)[] = []

  async function attempt(job: Job): Promise<Outcome> {
    const hooks: (() => void)[] = []
    try {
      const value = await job.work({ ...statements, afterCommit: (run) => void hooks.push(run) })
      return { value, hooks }
    } catch (error) {
      return { error }
    }
  }

  async function begin(isolation: Isolation): Promise<void> {
    try {
      await writer.begin(isolation)
    } catch (error) {
      // Otherwise each queued call would wait as long and fail in the same way.
      if (error instanceof AppError) for (const { reject } of waiting.splice(0)) reject(error)
      throw error
    }
  }

  /** Returns the outcomes once durable, or the job that failed after a change; then the batch is rolled back. */
  async function commitTogether(jobs: readonly Job[], isolation: Isolation): Promise<Outcome[] | FailedJob> {
    const outcomes: Outcome[] = []
    let written = false
    await begin(isolation)
    try {
      hasWritten()
      for (const job of jobs) {
        const outcome = await attempt(job)
        const cause = writer.failure()
        if (failsTransaction(cause)) throw cause
        if ('error' in outcome && isCollision(outcome.error)) throw outcome.error
        const hasChanged = hasWritten()
        if (cause !== undefined || (hasChanged && 'error' in outcome)) {
          await writer.rollback()
          return { failed: job, error: 'error' in outcome ? outcome.error : cause, cause }
        }
        written ||= hasChanged
        outcomes.push(outcome)
      }
      await commit(written)
    } catch (error) {
      await writer.rollback()
      throw error
    }
    if (written) await syncBatch()
    return outcomes
  }

  async function commit(written: boolean): Promise<void> {
    try {
      await writer.commit()
    } catch (error) {
      if (written && error instanceof AppError && error.code === 'UNAVAILABLE') onUncertain()
      throw error
    }
  }

  async function syncBatch(): Promise<void> {
    try {
      await sync()
    } catch (cause) {
      // A full disk, too, may have kept the batch: STORAGE_FULL would deny that.
      const error = new AppError('UNAVAILABLE', { cause })
      syncFailure = { error }
      onUncertain()
      throw error
    }
  }

  function settle(job: Job, outcome: Outcome): void {
    if ('error' in outcome) return job.reject(toAppError(outcome.error))
    for (const hook of outcome.hooks) {
      try {
        hook()
      } catch (error) {
        onError(error)
      }
    }
    job.resolve(outcome.value)
  }

  async function runBatch(jobs: readonly Job[], tries = 0): Promise<void> {
    const [first] = jobs
    if (first === undefined) return
    try {
      if (syncFailure) throw syncFailure.error
      const outcomes = await commitTogether(jobs, first.isolation)
      if (Array.isArray(outcomes)) return jobs.forEach((job, index) => settle(job, outcomes[index] as Outcome))
      const { failed, cause } = outcomes
      const others = jobs.filter((job) => job !== failed)
      // When repeated, the work sees the row that another process has stored, and decides accordingly.
      if (isUniqueViolation(cause)) failed.uniqueRetries += 1
      const isRepeated = isUniqueViolation(cause) && failed.uniqueRetries < maxUniqueRetries
      await runBatch(others)
      if (isRepeated) await runBatch([failed])
      // Answered only now: a change by another job of the batch may have caused the failure, and the answer would
      // reveal that change before it is durable.
      else settle(failed, outcomes)
    } catch (error) {
      if (await writer.canRepeat(error, tries)) {
        watch?.repeated()
        return runBatch(jobs, tries + 1)
      }
      for (const job of jobs) job.reject(toAppError(error))
    }
  }

  async function runNext(): Promise<void> {
    const jobs = selectBatch(waiting, writer.canShare)
    waiting = waiting.slice(jobs.length)
    const startedAt = performance.now()
    await runBatch(jobs)
    if (jobs.length > 0) watch?.batch(jobs.length, (performance.now() - startedAt) / 1000)
    for (const task of betweenBatches.splice(0)) await task()
    if (waiting.length > 0 || betweenBatches.length > 0) return runSoon()
    isRunning = false
  }

  const runSoon = () => void setImmediate(() => void runNext())

  function start(): void {
    if (isRunning) return
    isRunning = true
    runSoon()
  }

  function runBetween(task: () => Promise<void> | void): Promise<void> {
    return new Promise((resolve, reject) => {
      betweenBatches.push(async () => {
        try {
          resolve(await task())
        } catch (error) {
          reject(toAppError(error))
        }
      })
      start()
    })
  }

  return {
    write<T>(work: (tx: Tx) => Promise<T>, isolation: Isolation = 'serializable'): Promise<T> {
      if (finished) return Promise.reject(new Error('the database is closed'))
      if (waiting.length >= maxWaiting) return Promise.reject(new AppError('UNAVAILABLE'))
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, isolation, uniqueRetries: 0, resolve: resolve as (value: unknown) => void, reject })
        start()
      })
    },
    runBetween: (task) => (finished ? Promise.resolve() : runBetween(task)),
    async finish() {
      finished = true
      do await runBetween(() => {})
      while (waiting.length > 0)
    },
  }
}
