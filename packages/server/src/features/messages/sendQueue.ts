import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'

interface Waiting<Job, Result> {
  job: Job
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** The outcome of one of several jobs that run together. */
export type SettledSend<Result> = { result: Result } | { error: unknown }

/** Limits a batch, so that it does not hold the event loop for long. */
const maxBatchSize = 200

/**
 * Runs jobs that wait for the database at the same moment together, in the order of arrival. A job that `isAlone` gets
 * its own transaction in that order, so that a failure undoes only that job. `runTogether` returns an outcome for each
 * job and throws only if all of them fail; a batch runs at 'read committed'.
 */
export function createSendQueue<Job, Result>(
  { db }: Core,
  isAlone: (job: Job) => boolean,
  runTogether: (tx: Tx, jobs: readonly Job[]) => Promise<SettledSend<Result>[]>,
): (job: Job) => Promise<Result> {
  let batch: Waiting<Job, Result>[] | undefined

  async function runAlone(job: Job): Promise<Result> {
    batch = undefined
    return db.write(async (tx) => {
      const [outcome] = await runTogether(tx, [job])
      if (outcome === undefined || 'error' in outcome) throw outcome?.error
      return outcome.result
    })
  }

  function settle(waiting: readonly Waiting<Job, Result>[], outcomes: readonly SettledSend<Result>[]): void {
    for (const [i, { resolve, reject }] of waiting.entries()) {
      const outcome = outcomes[i] as SettledSend<Result>
      if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.result)
    }
  }

  function startBatch(): Waiting<Job, Result>[] {
    const waiting: Waiting<Job, Result>[] = []
    const close = () => {
      if (batch === waiting) batch = undefined
    }
    const write = db.write((tx) => {
      close()
      return runTogether(
        tx,
        waiting.map(({ job }) => job),
      )
    }, 'read committed')
    write.then(
      (outcomes) => settle(waiting, outcomes),
      (error: unknown) => {
        close()
        for (const { reject } of waiting) reject(error)
      },
    )
    return waiting
  }

  return (job) => {
    if (isAlone(job)) return runAlone(job)
    return new Promise((resolve, reject) => {
      if (batch === undefined || batch.length >= maxBatchSize) batch = startBatch()
      batch.push({ job, resolve, reject })
    })
  }
}
