import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import type { HealthProblem, SystemHealth } from '@privity/contract/founder/monitoring'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import type { Core } from '../../core/core.ts'
import { newId } from '../../core/ids.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import type { LoopDelay } from '../../core/metrics/eventLoopDelay.ts'
import { isLogRewritten } from '../auditLogs/heads.ts'

export interface Readings {
  database: boolean
  objectStore: boolean
  /** Whether the audit log still matches what was signed. */
  auditLog: boolean
  /** 99th percentile since the previous reading (ms). */
  loopDelay: number
  /** Share of the disk, 0 to 1, that the server may still write. */
  freeDisk: number
}

export const checkIntervalMs = 15_000
/** A check that takes this long fails: the part it waits for does not respond. */
const checkTimeoutMs = 4 * checkIntervalMs

const critical: ReadonlySet<HealthProblem> = new Set(['database', 'objectStore', 'auditLog'])
export const isCritical = (problem: HealthProblem): boolean => critical.has(problem)

/** The reasons why the health is not good, the most severe first. */
export function problemsIn({ database, objectStore, auditLog, loopDelay, freeDisk }: Readings): HealthProblem[] {
  return [
    ...(database ? [] : (['database'] as const)),
    ...(objectStore ? [] : (['objectStore'] as const)),
    ...(auditLog ? [] : (['auditLog'] as const)),
    ...(loopDelay > monitoringLimits.loopDelay ? (['eventLoop'] as const) : []),
    ...(freeDisk < monitoringLimits.freeDisk ? (['diskSpace'] as const) : []),
  ]
}

export function healthWith(problems: readonly HealthProblem[]): SystemHealth {
  if (problems.some(isCritical)) return 'critical'
  return problems.length > 0 ? 'warning' : 'good'
}

interface Watch {
  readDelays: ReturnType<LoopDelay['reader']>
  /** The check under way: its start, and the part it waits for. */
  waitingFor: { since: number; part: HealthProblem } | undefined
  problems: HealthProblem[]
  /** Resolves when the first check has ended. */
  first: Promise<void>
  endFirst(): void
}

const watches = new WeakMap<Core, Watch>()

/** Starts to watch the health; queries wait for the first check, which the start runs. */
export function watchHealth(core: Core): void {
  let endFirst = () => {}
  const first = new Promise<void>((resolve) => void (endFirst = resolve))
  watches.set(core, { readDelays: core.loopDelay.reader(), waitingFor: undefined, problems: [], first, endFirst })
}

function watchOf(core: Core): Watch {
  const watch = watches.get(core)
  if (watch === undefined) throw new Error('the health is not watched')
  return watch
}

async function freeDiskOf(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return blocks === 0 ? 1 : bavail / blocks
}

/** Longer than a page of either database, and random, so that neither can compress it below a page. */
const pageBytes = 12 * 1024

/** Throws if the database accepts no write, or its store has no space for one more page. Leaves nothing behind. */
async function writePage({ db, clock }: Core): Promise<void> {
  const id = newId(clock.now())
  const page = randomBytes(pageBytes).toString('base64url')
  await db.write(async (tx) => {
    await tx.run('insert into health_pages (id, page) values (?, ?)', [id, page])
    await tx.run('delete from health_pages where id = ?', [id])
  })
}

/** Runs in the background, so that a query for the health costs nothing. */
export async function checkHealth(core: Core): Promise<void> {
  const watch = watchOf(core)
  const since = core.clock.now()
  async function responds(part: HealthProblem, check: () => Promise<unknown>): Promise<boolean> {
    watch.waitingFor = { since, part }
    try {
      await check()
      return true
    } catch (error) {
      core.log.error({ err: error, part }, 'health check')
      return false
    }
  }
  const database = await responds('database', async () => {
    await core.db.read.get('select 1')
    await writePage(core)
  })
  const objectStore = await responds('objectStore', () => core.storage.check())
  const freeDisk = await freeDiskOf(core.config.dataDir).catch(() => 0)
  const auditLog = !isLogRewritten(core.auditKey)
  watch.problems = problemsIn({ database, objectStore, auditLog, loopDelay: watch.readDelays().p99, freeDisk })
  watch.waitingFor = undefined
  watch.endFirst()
}

/** The problems that the newest finished check found; waits for the first check. */
export async function foundProblems(core: Core): Promise<readonly HealthProblem[]> {
  const watch = watchOf(core)
  await watch.first
  return watch.problems
}

/**
 * The problems of this process and of the parts it depends on. If a check does not return within `checkTimeoutMs`, the
 * part it waits for is the only problem.
 */
export async function latestProblems(core: Core): Promise<readonly HealthProblem[]> {
  const { waitingFor } = watchOf(core)
  if (waitingFor !== undefined && core.clock.now() - waitingFor.since >= checkTimeoutMs) return [waitingFor.part]
  return foundProblems(core)
}

export const healthJobs: Job[] = [
  { name: 'check the health', every: checkIntervalMs, inEveryProcess: true, run: checkHealth },
]
