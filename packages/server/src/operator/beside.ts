import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Reader } from '../core/db.ts'
import { createRegistry, registryTimes } from '../core/registry.ts'
import type { Operator } from './operator.ts'
import { Refusal } from './refusal.ts'

/** A little more than every process takes until it looks at the others again. */
const noticed = registryTimes.beat + 500

const beats = async (db: Reader) => new Map((await db.all<Process>('select id, beat from processes')).map(toPair))

interface Process {
  id: string
  beat: number
}
const toPair = ({ id, beat }: Process): [string, number] => [id, beat]

/**
 * Refuses while a server runs on this PostgreSQL database, on whatever machine: those that live change their rows again
 * and again. The row of one that was killed stands still, and is waited for as long as servers do.
 */
export async function refuseBesideServers({ db }: Pick<Operator, 'db'>): Promise<void> {
  const before = await beats(db.read)
  for (let waited = 0; before.size > 0 && waited < registryTimes.gone; waited += noticed) {
    await wait(noticed)
    const now = await beats(db.read)
    const living = [...now].filter(([id, beat]) => before.get(id) !== beat).length
    if (living > 0)
      throw new Refusal(`${living === 1 ? 'A server runs' : `${living} servers run`} on this database: stop all first.`)
    for (const id of before.keys()) if (!now.has(id)) before.delete(id)
  }
}

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
