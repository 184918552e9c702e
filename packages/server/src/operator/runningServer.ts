import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createRegistry, knownFor } from '../core/cluster/registry.ts'
import { registryTimes } from '../core/database/processHeartbeat.ts'
import type { Operator } from './operator.ts'

/** One heartbeat longer than a process trusts its memory without looking at the other processes. */
const noticed = knownFor + registryTimes.beat

/**
 * Runs `work` beside servers on this PostgreSQL database. While a process exists whose notices do not arrive, no server
 * trusts its memory, above all of sessions. This command registers as such a process until all of them have noticed.
 */
export async function besideServers<T>(
  { db, clock }: Pick<Operator, 'db' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  const registry = createRegistry({ db, clock, id: randomBytes(16).toString('hex'), returned() {}, vanished() {} })
  await registry.beat()
  try {
    const done = await work()
    if (registry.others().size > 0) {
      // After long work other processes may have removed this one as gone.
      await registry.beat()
      await wait(noticed)
    }
    return done
  } finally {
    await registry.leave()
  }
}
