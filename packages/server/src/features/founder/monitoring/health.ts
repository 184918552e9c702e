import { statfs } from 'node:fs/promises'
import type { HealthProblem, RealtimeStats } from '@privity/contract/founder/monitoring'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import type { Core } from '../../../core/core.ts'
import type { LoopDelay } from '../../../core/loopDelay.ts'
import { isLogRewritten } from '../../auditLogs/heads.ts'

export type Health = Pick<RealtimeStats, 'systemHealth' | 'healthProblems'>

export interface Readings {
  database: boolean
  objectStore: boolean
  /** Whether the audit log is the one that was signed. */
  auditLog: boolean
  /** 99th percentile since the reading before, ms. */
  loopDelay: number
  /** Share of the disk, 0 to 1, that the server may still write. */
  freeDisk: number
}

export const checkEvery = 15_000
/** A check that has not ended for as long says itself that something does not answer. */
const checkMissing = 4 * checkEvery

export function judge({ database, objectStore, auditLog, loopDelay, freeDisk }: Readings): Health {
  const critical: HealthProblem[] = [
    ...(database ? [] : (['database'] as const)),
    ...(objectStore ? [] : (['objectStore'] as const)),
    ...(auditLog ? [] : (['auditLog'] as const)),
  ]
  const warnings: HealthProblem[] = [
    ...(loopDelay > monitoringLimits.loopDelay ? (['eventLoop'] as const) : []),
    ...(freeDisk < monitoringLimits.freeDisk ? (['diskSpace'] as const) : []),
  ]
  const systemHealth = critical.length > 0 ? 'critical' : warnings.length > 0 ? 'warning' : 'good'
  return { systemHealth, healthProblems: [...critical, ...warnings] }
}

interface Watch {
  readDelays: ReturnType<LoopDelay['reader']>
  checkedAt: number
  health: Health
}

const watches = new WeakMap<Core, Watch>()

/** Begins to watch; the health is good until the first check, which the start runs, has ended. */
export function watchHealth(core: Core): void {
  const health: Health = { systemHealth: 'good', healthProblems: [] }
  watches.set(core, { readDelays: core.loopDelay.reader(), checkedAt: core.clock.now(), health })
}

async function answers(core: Core, what: HealthProblem, check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    core.log.error({ err: error, what }, 'health check')
    return false
  }
}

async function freeDiskOf(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return blocks === 0 ? 1 : bavail / blocks
}

/** Run in the background, so that asking for the health costs nothing. */
export async function checkHealth(core: Core): Promise<void> {
  const watch = watches.get(core)
  if (watch === undefined) return
  // An empty write passes the queue of all writes, and fails where the disk failed one before.
  const database = await answers(core, 'database', async () => {
    await core.db.read.get('select 1')
    await core.db.write(async () => {})
  })
  const objectStore = await answers(core, 'objectStore', () => core.storage.check())
  const freeDisk = await freeDiskOf(core.config.dataDir).catch(() => 0)
  const auditLog = !isLogRewritten(core.auditKey)
  watch.health = judge({ database, objectStore, auditLog, loopDelay: watch.readDelays().most, freeDisk })
  watch.checkedAt = core.clock.now()
}

/** As the newest check found it. */
export function latestHealth(core: Core): Health {
  const watch = watches.get(core)
  if (watch === undefined || core.clock.now() - watch.checkedAt > checkMissing)
    return { systemHealth: 'critical', healthProblems: ['database'] }
  return watch.health
}
