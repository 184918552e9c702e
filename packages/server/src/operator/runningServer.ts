import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createRegistry, maxRegistryAgeMs } from '../core/cluster/registry.ts'
import { registryTimes } from '../core/database/processHeartbeat.ts'
import type { Operator } from './operator.ts'

/** One heartbeat longer than a process trusts its list of processes. */
const noticeDelayMs = maxRegistryAgeMs + registryTimes.beat

/**
 * Runs `work` beside servers on this PostgreSQL database. A command publishes no events, so servers would go on
 * trusting their caches, above all those of sessions. So it registers as a process: its missing events make servers
 * read the database instead. It stays registered until all servers have noticed.
 */
export async function runBesideServers<T>(
  { db, clock }: Pick<Operator, 'db' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  const registry = createRegistry({ db, clock, id: randomBytes(16).toString('hex'), onReturned() {}, onVanished() {} })
  await registry.beat()
  try {
    const done = await work()
    if (registry.others().size > 0) {
      // After long work other processes may have removed this one as gone.
      await registry.beat()
      await wait(noticeDelayMs)
    }
    return done
  } finally {
    await registry.leave()
  }
}
