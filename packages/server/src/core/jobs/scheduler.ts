import type { Core } from '../core.ts'
import type { Stop } from '../clock.ts'
import { type Lease, LeaseLost } from '../cluster/lease.ts'

/** Work that is due again and again; `every` in milliseconds. */
export interface Job {
  name: string
  every: number
  /** In every process: what it works on is the process's own. All other jobs run in the one that holds the lease. */
  inEach?: boolean
  /** Work that takes long asks `stopping` now and then, and leaves the rest for the next start. */
  run(core: Core, stopping: () => boolean): Promise<void>
}

export interface Schedule {
  /** Once the runs under way have finished. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** The core of a process that works under a lease: what it writes once it has lost it is undone. */
const fenced = (core: Core, lease: Lease): Core => ({
  ...core,
  db: {
    ...core.db,
    write: (work) =>
      core.db.write(async (tx) => {
        await lease.check(tx)
        return work(tx)
      }),
  },
})

/**
 * Runs each job at start and then on its interval; never two at the same time: one that is due meanwhile runs next.
 * With a lease, jobs run in the process that holds it, and begin when it is given it.
 */
export function schedule(core: Core, jobs: readonly Job[], lease?: Lease): Schedule {
  const stops: Stop[] = []
  const running = new Map<string, Promise<void>>()
  const dueAgain = new Set<string>()
  let stopped = false

  const underLease = lease && fenced(core, lease)

  async function runOnce(job: Job): Promise<void> {
    if (lease === undefined || underLease === undefined || job.inEach === true) return job.run(core, () => stopped)
    if (await lease.isHeld()) await job.run(underLease, () => stopped)
  }

  function start(job: Job): void {
    if (stopped) return
    if (running.has(job.name)) dueAgain.add(job.name)
    else running.set(job.name, run(job))
  }

  async function run(job: Job): Promise<void> {
    do {
      dueAgain.delete(job.name)
      await runOnce(job).catch((error: unknown) => {
        if (error instanceof LeaseLost) core.log.info({ job: job.name }, 'a job goes on in another process')
        else core.log.error({ err: error, job: job.name }, 'a job failed')
      })
    } while (dueAgain.has(job.name) && !stopped)
    running.delete(job.name)
  }

  for (const job of jobs) {
    start(job)
    stops.push(core.clock.every(job.every, () => start(job)))
  }
  lease?.onHeld(() => jobs.filter(({ inEach }) => inEach !== true).forEach(start))
  const settled = async () => void (await Promise.all(running.values()))
  return {
    settled,
    async stop() {
      stopped = true
      for (const stop of stops) stop()
      await settled()
    },
  }
}
