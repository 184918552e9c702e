import type { Core } from './core.ts'
import type { Stop } from './clock.ts'

/** Work that is due again and again; `every` in milliseconds. */
export interface Job {
  name: string
  every: number
  /** Work that takes long asks `stopping` now and then, and leaves the rest for the next start. */
  run(core: Core, stopping: () => boolean): Promise<void>
}

export interface Schedule {
  /** Once the runs under way have finished. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Runs each job at start and then on its interval; never two at the same time: one that is due meanwhile runs next. */
export function schedule(core: Core, jobs: readonly Job[]): Schedule {
  const stops: Stop[] = []
  const running = new Map<string, Promise<void>>()
  const dueAgain = new Set<string>()
  let stopped = false

  function start(job: Job): void {
    if (stopped) return
    if (running.has(job.name)) dueAgain.add(job.name)
    else running.set(job.name, run(job))
  }

  async function run(job: Job): Promise<void> {
    do {
      dueAgain.delete(job.name)
      await job
        .run(core, () => stopped)
        .catch((error: unknown) => core.log.error({ err: error, job: job.name }, 'a job failed'))
    } while (dueAgain.has(job.name) && !stopped)
    running.delete(job.name)
  }

  for (const job of jobs) {
    start(job)
    stops.push(core.clock.every(job.every, () => start(job)))
  }
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
