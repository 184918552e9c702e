import type { HealthProblem } from '@privity/contract/founder/monitoring'
import { limits } from '@privity/contract/limits'
import type { Stopping } from '../../../core/async/batches.ts'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import { deleteInBatches } from '../../../core/jobs/rowDeletion.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { foundProblems, isCritical } from '../../health/health.ts'
import { lookBackMs } from '../incidents/engine.ts'
import { deleteOldAlerts, deleteClaimedIncidents } from './queries.ts'
import { endWindows, raiseAlert } from './queue.ts'
import { sendUnkept } from './unkept.ts'

const batchSize = 200

async function deleteOldAlertsInBatches({ db, clock }: Core, stopping: Stopping): Promise<void> {
  await db.write((tx) => deleteClaimedIncidents(tx, clock.now() - lookBackMs))
  const deleteBatch = (tx: Tx) => deleteOldAlerts(tx, clock.now() - limits.alertsKept, batchSize)
  await deleteInBatches(db, batchSize, deleteBatch, stopping)
}

/** Problems without an alert yet, per server: while the database fails, no alert can be stored. */
const pendingProblems = new WeakMap<Core, Set<HealthProblem>>()

async function raiseHealthAlerts(core: Core): Promise<void> {
  const problems = pendingProblems.get(core) ?? new Set()
  pendingProblems.set(core, problems)
  for (const problem of await foundProblems(core)) if (isCritical(problem)) problems.add(problem)
  if (problems.size === 0) return
  try {
    await core.db.write(async (tx) => {
      for (const problem of problems) await raiseAlert(tx, core, { type: 'system_error', part: `health ${problem}` })
    })
  } catch (error) {
    // If the database itself fails, for example on a full disk, the alert goes to the log and out at once.
    const parts = [...problems].map((problem) => `health ${problem}`)
    core.log.error({ err: error, alert: 'system_error', parts }, 'ALERT: it could not be kept')
    core.background.run('ALERT: it could not be sent', () => sendUnkept(core, parts))
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
  { name: 'health for alerts', every: 60_000, inEveryProcess: true, run: raiseHealthAlerts },
  { name: 'forget old alerts', every: 60 * 60_000, run: deleteOldAlertsInBatches },
]
