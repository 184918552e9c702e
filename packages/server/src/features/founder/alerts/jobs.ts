import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Job } from '../../../core/schedule.ts'
import { isLogRewritten } from '../../auditLogs/heads.ts'
import { checkHealth } from '../../config/config.ts'
import { lookBack } from '../incidents/engine.ts'
import { deleteOldAlerts, forgetIncidents } from './queries.ts'
import { endWindows, raiseAlert } from './raise.ts'

const atOnce = 200

async function forgetOldAlerts({ db, clock }: Core, stopping: () => boolean): Promise<void> {
  await db.write((tx) => forgetIncidents(tx, clock.now() - lookBack))
  for (;;) {
    const { changes } = await db.write((tx) => deleteOldAlerts(tx, clock.now() - limits.alertsKept, atOnce))
    if (changes < atOnce || stopping()) return
  }
}

async function watchHealth(core: Core): Promise<void> {
  if ((await checkHealth(core)).status !== 'critical' && !isLogRewritten(core.auditKey)) return
  await core.db.write((tx) => raiseAlert(tx, core, { type: 'system_error', part: 'health' }))
}

export const alertJobs: Job[] = [
  {
    name: 'alerts',
    every: 10_000,
    async run(core, stopping) {
      await endWindows(core, stopping)
      // Also what a stop left behind, and what is to be tried again.
      core.bus.publish('alertQueued', {})
    },
  },
  { name: 'health for alerts', every: 60_000, inEach: true, run: watchHealth },
  { name: 'forget old alerts', every: 60 * 60_000, run: forgetOldAlerts },
]
