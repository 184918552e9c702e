import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import { AppError } from '@privity/contract/errors'
import { isCollision, isForAll, isTakenByAny, toAppError } from './errors.ts'
import type { Isolation, Tx, BatchWatch } from './types.ts'

/** The connection that writes. */
export interface Writer {
  statements: Omit<Tx, 'afterCommit'>
  /** Fails with UNAVAILABLE where the database cannot be reached. */
  begin(isolation: Isolation): Promise<void>
  /** Whether work of this isolation may be in one transaction with the work beside it. */
  shares(isolation: Isolation): boolean
  /** Fails with UNAVAILABLE where nobody can tell whether it was done. */
  commit(): Promise<void>
  /** Undoes what is open, if anything is. */
  rollback(): Promise<void>
  /** What a statement failed with that leaves the transaction good for nothing but to be undone. */
  failure(): unknown
  /**
   * Whether it may go better when everything is done again that failed with this error, after as many `tries`;
   * answers when it is time to. Nothing of what failed has been kept.
   */
  mayRepeat(error: unknown, tries: number): Promise<boolean>
  /** Whether anything was changed since this was last asked; what looked for rows to change and found none is nothing. */
  hasWritten(): boolean
  /** Resolves once all that was committed is on the disk. */
  sync(): Promise<void>
}

/** Whom nobody waits for hears of what goes wrong. */
export interface Troubles {
  /** A hook of afterCommit failed. */
  onError(error: unknown): void
  /** Nobody can tell whether a batch was kept; its hooks never run, although what it changed may be there. */
  onUncertain?: (() => void) | undefined
}

export interface GroupCommit {
  write<T>(work: (tx: Tx) => Promise<T>, isolation?: Isolation): Promise<T>
  /** Runs `task` when no batch is in flight; those that come meanwhile wait for it. */
  alone(task: () => Promise<void> | void): Promise<void>
  /** Takes no more, and resolves when everything that waited is answered. */
  finish(): Promise<void>
}

interface Job {
  work: (tx: Tx) => Promise<unknown>
  isolation: Isolation
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** How often another process may have taken what it wanted to store: it was done again each time. */
  taken: number
}

type Outcome = { value: unknown; hooks: (() => void)[] } | { error: unknown }

/** `cause`: the statement that failed, where that ended the transaction. */
interface Spoilt {
  spoilt: Job
  error: unknown
  cause: unknown
}

/** So that one batch cannot hold the event loop for long. */
const mostInBatch = 200

/** So that a database that answers nothing cannot fill the memory with what waits for it. */
const mostWaiting = 10_000

const mostTaken = 3

/** Those at the front that can share a transaction. */
function firstOf(jobs: readonly Job[], shares: Writer['shares']): Job[] {
  const alone = jobs.findIndex(({ isolation }) => !shares(isolation))
  return jobs.slice(0, Math.min(mostInBatch, alone === -1 ? jobs.length : Math.max(alone, 1)))
}

/**
 * Lets calls that wait at the same moment share one COMMIT and one sync of the disk, which is what limits
 * a durable store; the thread is free while the disk syncs, and gathers the next batch. Where a sync fails
 * nobody can tell what the disk holds, so nothing more is written until a restart has read it. A call that fails before it changed
 * anything needs no undoing; where one fails later, the batch is rolled back and written again without it.
 * (A savepoint for each call would cost every call more than storing a message does, for the sake of those few.)
 */
export function createGroupCommit(
  writer: Writer,
  { onError, onUncertain = () => {} }: Troubles,
  watch?: BatchWatch,
): GroupCommit {
  const { statements, hasWritten, sync } = writer
  let waiting: Job[] = []
  let pumping = false
  let finished = false
  let unsynced: { error: unknown } | undefined
  const between: (() => Promise<void>)[] = []

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
      // Those that wait would each wait as long again, only to hear the same.
      if (error instanceof AppError) for (const { reject } of waiting.splice(0)) reject(error)
      throw error
    }
  }

  /** The outcomes once durable; or the one that failed with something to undo, which is undone. */
  async function commitTogether(jobs: readonly Job[], isolation: Isolation): Promise<Outcome[] | Spoilt> {
    const outcomes: Outcome[] = []
    let written = false
    await begin(isolation)
    try {
      hasWritten()
      for (const job of jobs) {
        const outcome = await attempt(job)
        const cause = writer.failure()
        if (isForAll(cause)) throw cause
        if ('error' in outcome && isCollision(outcome.error)) throw outcome.error
        const wrote = hasWritten()
        if (cause !== undefined || (wrote && 'error' in outcome)) {
          await writer.rollback()
          return { spoilt: job, error: 'error' in outcome ? outcome.error : cause, cause }
        }
        written ||= wrote
        outcomes.push(outcome)
      }
      await commit(written)
    } catch (error) {
      await writer.rollback()
      throw error
    }
    if (written) await keep()
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

  async function keep(): Promise<void> {
    try {
      await sync()
    } catch (error) {
      unsynced = { error }
      onUncertain()
      throw error
    }
  }

  function answer(job: Job, outcome: Outcome): void {
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
      if (unsynced) throw unsynced.error
      const outcomes = await commitTogether(jobs, first.isolation)
      if (Array.isArray(outcomes)) return jobs.forEach((job, at) => answer(job, outcomes[at] as Outcome))
      const { spoilt, cause } = outcomes
      const others = jobs.filter((job) => job !== spoilt)
      // What another process has just stored is seen when it is done again, and answered as the work has it.
      if (isTakenByAny(cause)) spoilt.taken += 1
      const again = isTakenByAny(cause) && spoilt.taken < mostTaken
      if (!again) answer(spoilt, outcomes)
      await runBatch(others)
      if (again) await runBatch([spoilt])
    } catch (error) {
      if (await writer.mayRepeat(error, tries)) {
        watch?.repeated()
        return runBatch(jobs, tries + 1)
      }
      for (const job of jobs) job.reject(toAppError(error))
    }
  }

  async function pump(): Promise<void> {
    const jobs = firstOf(waiting, writer.shares)
    waiting = waiting.slice(jobs.length)
    const begun = performance.now()
    await runBatch(jobs)
    if (jobs.length > 0) watch?.batch(jobs.length, (performance.now() - begun) / 1000)
    for (const task of between.splice(0)) await task()
    if (waiting.length > 0 || between.length > 0) return next()
    pumping = false
  }

  const next = () => void setImmediate(() => void pump())

  function wake(): void {
    if (pumping) return
    pumping = true
    next()
  }

  function alone(task: () => Promise<void> | void): Promise<void> {
    return new Promise((resolve, reject) => {
      between.push(async () => {
        try {
          resolve(await task())
        } catch (error) {
          reject(toAppError(error))
        }
      })
      wake()
    })
  }

  return {
    write<T>(work: (tx: Tx) => Promise<T>, isolation: Isolation = 'serializable'): Promise<T> {
      if (finished) return Promise.reject(new Error('the database is closed'))
      if (waiting.length >= mostWaiting) return Promise.reject(new AppError('UNAVAILABLE'))
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, isolation, taken: 0, resolve: resolve as (value: unknown) => void, reject })
        wake()
      })
    },
    alone: (task) => (finished ? Promise.resolve() : alone(task)),
    async finish() {
      finished = true
      do await alone(() => {})
      while (waiting.length > 0)
    },
  }
}
