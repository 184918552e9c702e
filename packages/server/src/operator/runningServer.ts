import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createRegistry, knownFor } from '../core/cluster/registry.ts'
import { registryTimes } from '../core/database/processHeartbeat.ts'
import type { Operator } from './operator.ts'

/** A beat more than a process that cannot look at the others goes on trusting what it remembers. */
const noticed = knownFor + registryTimes.beat

/**
 * Runs `work` beside servers on this PostgreSQL database. While a process is there that they do not hear, none of them
 * trusts what it remembers, of sessions above all: this is one, until all of them have noticed.
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
      // Work that took long: the others may have taken this process for gone.
      await registry.beat()
      await wait(noticed)
    }
    return done
  } finally {
    await registry.leave()
  }
}
