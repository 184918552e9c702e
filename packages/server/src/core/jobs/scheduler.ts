import { performance } from 'node:perf_hooks'
import type { Core } from '../core.ts'
import type { Stop } from '../clock.ts'
import { type Lease, LeaseLost } from '../cluster/lease.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** Recurring work; `every` in milliseconds. */
export interface Job {
  name: string
  every: number
  /** Runs in every process; other jobs run only in the process that holds the lease. */
  inEveryProcess?: boolean
  /** Long work checks `stopping` and leaves the rest for the next start. */
  run(core: Core, stopping: () => boolean): Promise<void>
}

export interface Schedule {
  /** Resolves once the runs under way have finished. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Wraps the core so that writes are rolled back once the lease is lost. */
const withLease = (core: Core, lease: Lease): Core => ({
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
 * Runs each job at the start and then at its interval, never concurrently with itself: a job that falls due during its
 * run is run once more. With a lease, jobs run in its holder, from the moment it obtains the lease.
 */
export function schedule(core: Core, jobs: readonly Job[], lease?: Lease): Schedule {
  const stops: Stop[] = []
  const running = new Map<string, Promise<void>>()
  const dueAgain = new Set<string>()
  let stopped = false

  const underLease = lease && withLease(core, lease)

  async function runOnce(job: Job): Promise<void> {
    if (lease === undefined || underLease === undefined || job.inEveryProcess === true)
      return job.run(core, () => stopped)
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
  lease?.onHeld(() => jobs.filter(({ inEveryProcess }) => inEveryProcess !== true).forEach(start))
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

/** Wraps jobs so that their runs are measured. */
export function measureJobs(jobs: readonly Job[], metrics: Metrics): Job[] {
  const runs = metrics.counter('privity_job_runs_total', 'Runs of the jobs of this process, by how they ended.')
  const durations = metrics.counter('privity_job_seconds_total', 'Time that the runs of the jobs took.')
  const successes = new Map<string, number>()
  metrics.readAtScrape(
    'privity_job_last_success_seconds',
    'When a job last succeeded here, in seconds since 1970.',
    () => [...successes].map(([job, value]) => ({ labels: { job }, value })),
  )
  return jobs.map((job) => {
    const labels = { job: job.name }
    const [done, failed] = [runs({ ...labels, ended: 'done' }), runs({ ...labels, ended: 'failed' })]
    const duration = durations(labels)
    return {
      ...job,
      async run(core, stopping) {
        const startedAt = performance.now()
        try {
          await job.run(core, stopping)
          done.add()
          successes.set(job.name, core.clock.now() / 1000)
        } catch (error) {
          failed.add()
          throw error
        } finally {
          duration.add((performance.now() - startedAt) / 1000)
        }
      },
    }
  })
}
