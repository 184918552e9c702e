import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import { countSentLastDay } from '../../core/metrics/messagesPerMinute.ts'
import { latestProblems } from '../health/health.ts'

/** The count stops here: expired rows are destroyed within a minute, so a larger number need not be exact. */
const maxCounted = 10_000

async function countExpired(db: Reader, now: number, max: number): Promise<number> {
  const row = await db.get<{ expired: number }>(
    'select count(*) as expired from (select 1 as found from messages where expires_at <= ? limit ?) waiting',
    [now, max],
  )
  return row?.expired ?? 0
}

async function selectOldestExpiry(db: Reader): Promise<number | undefined> {
  const row = await db.get<{ expires_at: number }>('select expires_at from messages order by expires_at limit 1')
  return row?.expires_at
}

/** Registers the metrics of the database, the files and the sockets, which are read at each request for the metrics. */
export function measureDeployment(core: Core): void {
  const { metrics, db, bus, processes, sockets, clock } = core
  metrics.readAtScrape(
    'privity_other_processes',
    'Other processes of the deployment that live.',
    () => processes.otherIds().size,
  )
  metrics.readAtScrape('privity_bus_whole', '1 where this process hears at once what happens in all others.', () =>
    bus.receivesAllEvents() ? 1 : 0,
  )
  metrics.readAtScrape('privity_sockets', 'Open sockets of this process.', () => sockets.count())
  metrics.readAtScrape(
    'privity_socket_users',
    'Members with an open socket here.',
    () => sockets.connectedUsers().length,
  )
  metrics.readAtScrape('privity_messages_last_day', 'Messages sent within the last 24 hours, deleted ones too.', () =>
    countSentLastDay(db.read, clock.now()),
  )
  metrics.readAtScrape('privity_expired_rows', `Messages that wait to be destroyed, up to ${maxCounted}.`, () =>
    countExpired(db.read, clock.now(), maxCounted),
  )
  metrics.readAtScrape(
    'privity_retention_lag_seconds',
    'For how long the oldest message that has expired waits to be destroyed.',
    async () => {
      const oldest = await selectOldestExpiry(db.read)
      return oldest === undefined ? 0 : Math.max(0, clock.now() - oldest) / 1000
    },
  )
  metrics.readAtScrape('privity_up', '1 where the database, and where the store of files, answers.', async () => {
    const problems = await latestProblems(core)
    const parts = { database: 'database', files: 'objectStore' } as const
    return Object.entries(parts).map(([part, problem]) => ({
      labels: { part },
      value: problems.includes(problem) ? 0 : 1,
    }))
  })
}
