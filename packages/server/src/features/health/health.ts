import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import type { HealthProblem, SystemHealth } from '@privity/contract/founder/monitoring'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import type { Core } from '../../core/core.ts'
import { newId } from '../../core/ids.ts'
import type { LoopDelay } from '../../core/metrics/eventLoopDelay.ts'
import { isLogRewritten } from '../auditLogs/heads.ts'

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

const critical: ReadonlySet<HealthProblem> = new Set(['database', 'objectStore', 'auditLog'])
export const isCritical = (problem: HealthProblem): boolean => critical.has(problem)

/** What keeps the health from being good, the gravest first. */
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
  /** The check under way: when it began, and whose answer it waits for. */
  asking: { since: number; what: HealthProblem } | undefined
  problems: HealthProblem[]
  /** Once the check that the start runs has ended. */
  first: Promise<void>
  endFirst(): void
}

const watches = new WeakMap<Core, Watch>()

/** Begins to watch; who asks waits for the first check, which the start runs. */
export function watchHealth(core: Core): void {
  let endFirst = () => {}
  const first = new Promise<void>((resolve) => void (endFirst = resolve))
  watches.set(core, { readDelays: core.loopDelay.reader(), asking: undefined, problems: [], first, endFirst })
}

function watchOf(core: Core): Watch {
  const watch = watches.get(core)
  if (watch === undefined) throw new Error('nobody watches the health')
  return watch
}

async function freeDiskOf(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return blocks === 0 ? 1 : bavail / blocks
}

/** Longer than a page of either database, and random: none of them makes it shorter. */
const pageBytes = 12 * 1024

/** Throws where the database takes no write, or its store has no room for one more page. Nothing of it is left. */
async function writePage({ db, clock }: Core): Promise<void> {
  const id = newId(clock.now())
  const page = randomBytes(pageBytes).toString('base64url')
  await db.write(async (tx) => {
    await tx.run('insert into health_pages (id, page) values (?, ?)', [id, page])
    await tx.run('delete from health_pages where id = ?', [id])
  })
}

/** Run in the background, so that asking for the health costs nothing. */
export async function checkHealth(core: Core): Promise<void> {
  const watch = watchOf(core)
  const since = core.clock.now()
  async function answers(what: HealthProblem, check: () => Promise<unknown>): Promise<boolean> {
    watch.asking = { since, what }
    try {
      await check()
      return true
    } catch (error) {
      core.log.error({ err: error, what }, 'health check')
      return false
    }
  }
  const database = await answers('database', async () => {
    await core.db.read.get('select 1')
    await writePage(core)
  })
  const objectStore = await answers('objectStore', () => core.storage.check())
  const freeDisk = await freeDiskOf(core.config.dataDir).catch(() => 0)
  const auditLog = !isLogRewritten(core.auditKey)
  watch.problems = problemsIn({ database, objectStore, auditLog, loopDelay: watch.readDelays().most, freeDisk })
  watch.asking = undefined
  watch.endFirst()
}

/** What the newest check found that has ended. */
export async function foundProblems(core: Core): Promise<readonly HealthProblem[]> {
  const watch = watchOf(core)
  await watch.first
  return watch.problems
}

/**
 * How this process is, and what it stands on, for everyone who asks or tells of it. Where a check does not come back, what
 * it waits for is the problem.
 */
export async function latestProblems(core: Core): Promise<readonly HealthProblem[]> {
  const { asking } = watchOf(core)
  if (asking !== undefined && core.clock.now() - asking.since >= checkMissing) return [asking.what]
  return foundProblems(core)
}
