import { performance } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'
import type { Job } from '../jobs/scheduler.ts'

/** Wraps jobs so that their runs are measured. */
export function measureJobs(jobs: readonly Job[], metrics: Metrics): Job[] {
  const runs = metrics.counter('privity_job_runs_total', 'Runs of the jobs of this process, by how they ended.')
  const durations = metrics.counter('privity_job_seconds_total', 'Time that the runs of the jobs took.')
  const successes = new Map<string, number>()
  metrics.gauge('privity_job_last_success_seconds', 'When a job last succeeded here, in seconds since 1970.', () =>
    [...successes].map(([job, value]) => ({ labels: { job }, value })),
  )
  return jobs.map((job) => {
    const labels = { job: job.name }
    const [done, failed] = [runs({ ...labels, ended: 'done' }), runs({ ...labels, ended: 'failed' })]
    const took = durations(labels)
    return {
      ...job,
      async run(core, stopping) {
        const begun = performance.now()
        try {
          await job.run(core, stopping)
          done.add()
          successes.set(job.name, core.clock.now() / 1000)
        } catch (error) {
          failed.add()
          throw error
        } finally {
          took.add((performance.now() - begun) / 1000)
        }
      },
    }
  })
}
