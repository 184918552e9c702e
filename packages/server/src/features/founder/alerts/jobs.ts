import type { HealthProblem } from '@privity/contract/founder/monitoring'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { foundProblems, isCritical } from '../../health/health.ts'
import { lookBack } from '../incidents/engine.ts'
import { deleteOldAlerts, forgetIncidents } from './queries.ts'
import { endWindows, raiseAlert } from './queue.ts'

const atOnce = 200

async function forgetOldAlerts({ db, clock }: Core, stopping: () => boolean): Promise<void> {
  await db.write((tx) => forgetIncidents(tx, clock.now() - lookBack))
  for (;;) {
    const { changes } = await db.write((tx) => deleteOldAlerts(tx, clock.now() - limits.alertsKept, atOnce))
    if (changes < atOnce || stopping()) return
  }
}

/** Problems without an alert yet, for each server: if the database fails, its alert waits until it works again. */
const untold = new WeakMap<Core, Set<HealthProblem>>()

async function tellHealth(core: Core): Promise<void> {
  const problems = untold.get(core) ?? new Set()
  untold.set(core, problems)
  for (const problem of await foundProblems(core)) if (isCritical(problem)) problems.add(problem)
  if (problems.size === 0) return
  try {
    await core.db.write(async (tx) => {
      for (const problem of problems) await raiseAlert(tx, core, { type: 'system_error', part: `health ${problem}` })
    })
  } catch (error) {
    // Only the log is left if the database itself fails, for example on a full disk.
    const alert = { alert: 'system_error', parts: [...problems].map((problem) => `health ${problem}`) }
    core.log.error({ err: error, ...alert }, 'ALERT: it could not be kept')
    throw error
  }
  problems.clear()
}

export const alertJobs: Job[] = [
  {
    name: 'alerts',
    every: 10_000,
    async run(core, stopping) {
      await endWindows(core, stopping)
      // Also resumes deliveries that a stop left behind or that are due for a retry.
      core.bus.publish('alertQueued', {})
    },
  },
  { name: 'health for alerts', every: 60_000, inEveryProcess: true, run: tellHealth },
  { name: 'forget old alerts', every: 60 * 60_000, run: forgetOldAlerts },
]
