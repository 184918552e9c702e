import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'

interface Waiting<Job, Result> {
  job: Job
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** What became of one of several jobs that are done together. */
export type Outcome<Result> = { result: Result } | { error: unknown }

/** So that what is done together cannot hold the event loop for long. */
const most = 200

/**
 * Does jobs that wait for the database at the same moment together, in the order in which they came; one that
 * `isAlone` has a write of its own in that order, which undoes it if it fails. `together` answers an outcome for
 * each, and throws only where all of them fail; where they are several, or may be, it runs at 'read committed'.
 */
export function createSendQueue<Job, Result>(
  { db }: Core,
  isAlone: (job: Job) => boolean,
  together: (tx: Tx, jobs: readonly Job[]) => Promise<Outcome<Result>[]>,
): (job: Job) => Promise<Result> {
  let gathering: Waiting<Job, Result>[] | undefined

  async function alone(job: Job): Promise<Result> {
    gathering = undefined
    return db.write(async (tx) => {
      const [outcome] = await together(tx, [job])
      if (outcome === undefined || 'error' in outcome) throw outcome?.error
      return outcome.result
    })
  }

  function answer(waiting: readonly Waiting<Job, Result>[], outcomes: readonly Outcome<Result>[]): void {
    for (const [at, { resolve, reject }] of waiting.entries()) {
      const outcome = outcomes[at] as Outcome<Result>
      if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.result)
    }
  }

  function gather(): Waiting<Job, Result>[] {
    const waiting: Waiting<Job, Result>[] = []
    const close = () => {
      if (gathering === waiting) gathering = undefined
    }
    const write = db.write((tx) => {
      close()
      return together(
        tx,
        waiting.map(({ job }) => job),
      )
    }, 'read committed')
    write.then(
      (outcomes) => answer(waiting, outcomes),
      (error: unknown) => {
        close()
        for (const { reject } of waiting) reject(error)
      },
    )
    return waiting
  }

  return (job) => {
    if (isAlone(job)) return alone(job)
    return new Promise((resolve, reject) => {
      if (gathering === undefined || gathering.length >= most) gathering = gather()
      gathering.push({ job, resolve, reject })
    })
  }
}
