import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createRegistry, registryTimes } from '../core/registry.ts'
import type { Operator } from './operator.ts'

/** A little more than every process takes until it looks at the others again. */
const noticed = registryTimes.beat + 500

/**
 * Runs `work` beside servers on this PostgreSQL database. While a process is there that they do not hear, none of them
 * trusts what it remembers, of sessions above all: this is one, until all of them have noticed.
 */
export async function besideServers<T>(
  { db, clock }: Pick<Operator, 'db' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  const registry = createRegistry({ db, clock, id: randomBytes(16).toString('hex'), returned() {} })
  await registry.beat()
  try {
    const done = await work()
    if (registry.others().size > 0) await wait(2 * noticed)
    return done
  } finally {
    await registry.leave()
  }
}
