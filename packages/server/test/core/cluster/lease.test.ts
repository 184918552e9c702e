import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db } from '../../../src/core/database/types.ts'
import { createLease, LeaseLost } from '../../../src/core/cluster/lease.ts'
import { createRegistry } from '../../../src/core/cluster/registry.ts'
import { registryTimes } from '../../../src/core/database/processHeartbeat.ts'
import { type Job, schedule } from '../../../src/core/jobs/scheduler.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'

let folder: string
let db: Db
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-lease-'))
  db = await openDb(join(folder, 'privity.db'), { onError: (error) => expect.fail(String(error)) })
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})

const clock = createFakeClock()
let made = 0

/** A process as the database sees it; heartbeats are sent only by `beat`. */
function createProcess(name: string) {
  made += 1
  const id = `process-${made}`
  const counted = { returned: 0, given: 0, vanished: 0 }
  const registry = createRegistry({
    db,
    clock,
    id,
    onReturned: () => void (counted.returned += 1),
    onVanished: () => void (counted.vanished += 1),
  })
  const lease = createLease(db, name, id)
  lease.onHeld(() => void (counted.given += 1))
  return {
    id,
    counted,
    registry,
    lease,
    async beat() {
      await registry.beat()
      await lease.renew(registry.others())
    },
    async leave() {
      await lease.release()
      await registry.leave()
    },
  }
}

/** Keeps `beating` alive for as long as it takes to detect that the other processes are gone. */
async function outlast(...beating: { beat(): Promise<void> }[]): Promise<void> {
  for (let passed = 0; passed <= registryTimes.gone + registryTimes.beat; passed += registryTimes.beat) {
    for (const process of beating) await process.beat()
    clock.advance(registryTimes.beat)
  }
}

test('of three processes that start at once one gets the lease, and the others wait for it', async () => {
  const all = [createProcess('start'), createProcess('start'), createProcess('start')]
  await Promise.all(all.map(({ beat }) => beat()))
  expect(all.map(({ counted }) => counted.given).sort()).toEqual([0, 0, 1])
  await outlast(...all)
  expect(all.map(({ counted }) => counted.given).sort()).toEqual([0, 0, 1])
  const holders = await Promise.all(all.map(({ lease }) => lease.isHeld()))
  expect(holders.filter(Boolean)).toHaveLength(1)
  for (const process of all) await process.leave()
})

test('a process that ends hands over the lease at once; a killed one, after it was missed', async () => {
  const [one, two, three] = [createProcess('end'), createProcess('end'), createProcess('end')]
  for (const process of [one, two, three]) await process.beat()
  await one.leave()
  await two.beat()
  expect(await two.lease.isHeld()).toBe(true)
  // `two` stops without leaving, like a killed process.
  await three.beat()
  clock.advance(registryTimes.beat)
  await three.beat()
  expect(await three.lease.isHeld()).toBe(false)
  await outlast(three)
  expect([await three.lease.isHeld(), await two.lease.isHeld()]).toEqual([true, false])
  expect([...three.registry.others()]).toEqual([])
  await three.leave()
})

test('after a pause of its own, or of the database, a process blames nobody for it', async () => {
  const [one, two] = [createProcess('pause'), createProcess('pause')]
  for (const process of [one, two]) await process.beat()
  clock.advance(60_000)
  await two.beat()
  expect([...two.registry.others()]).toEqual([one.id])
  await one.beat()
  expect([await one.lease.isHeld(), one.counted.returned]).toEqual([true, 0])
  for (const process of [one, two]) await process.leave()
})

test('a process taken for gone that continues does nothing under the lease, and learns of it', async () => {
  const [paused, other] = [createProcess('away'), createProcess('away')]
  for (const process of [paused, other]) await process.beat()
  await outlast(other)
  expect(await other.lease.isHeld()).toBe(true)
  await expect(db.write(async (tx) => paused.lease.check(tx))).rejects.toThrow(LeaseLost)
  await paused.beat()
  expect([await paused.lease.isHeld(), paused.counted.returned]).toEqual([false, 1])
  expect([...other.registry.others(), ...paused.registry.others()].sort()).toEqual([other.id])
  for (const process of [paused, other]) await process.leave()
})

test('a job runs where the lease is, or in every process; one that lost the lease writes nothing', async () => {
  const [first, second] = [createProcess('jobs'), createProcess('jobs')]
  for (const process of [first, second]) await process.beat()
  const ran: string[] = []
  let goOn = () => {}
  const paused = new Promise<void>((resolve) => (goOn = resolve))
  const log = { info: () => void ran.push('lost'), error: (facts: object) => expect.fail(JSON.stringify(facts)) }
  const coreOf = () => ({ clock, db, log }) as unknown as Core
  const jobsOf = (name: string): Job[] => [
    {
      name: 'everywhere',
      every: 1_000_000,
      inEveryProcess: true,
      run: async () => void ran.push(`${name} everywhere`),
    },
    {
      name: 'once',
      every: 1_000_000,
      async run(core) {
        ran.push(`${name} once`)
        if (name === 'first') await paused
        await core.db.write((tx) => tx.run('insert into settings (key, value) values (?, ?)', [`job of ${name}`, '']))
      },
    },
  ]
  const schedules = [
    schedule(coreOf(), jobsOf('first'), first.lease),
    schedule(coreOf(), jobsOf('second'), second.lease),
  ]
  await schedules[1]?.settled()
  expect(ran.toSorted()).toEqual(['first everywhere', 'first once', 'second everywhere'])
  await outlast(second)
  await schedules[1]?.settled()
  expect(ran.at(-1)).toBe('second once')
  goOn()
  await schedules[0]?.settled()
  expect(ran.at(-1)).toBe('lost')
  const written = await db.read.all("select key from settings where key like 'job of %'")
  expect(written).toEqual([{ key: 'job of second' }])
  for (const one of schedules) await one.stop()
  for (const process of [first, second]) await process.leave()
})

test('who leaves without a word is noticed once, killed or not; who said so before is not', async () => {
  const [watching, polite, silent, killed] = [
    createProcess('vanish'),
    createProcess('vanish'),
    createProcess('vanish'),
    createProcess('vanish'),
  ]
  for (const process of [watching, polite, silent, killed]) await process.beat()
  await watching.beat()
  await polite.leave()
  watching.registry.remove(polite.id)
  await watching.beat()
  expect(watching.counted.vanished).toBe(0)
  await silent.leave()
  await watching.beat()
  await watching.beat()
  expect(watching.counted.vanished).toBe(1)
  await outlast(watching)
  expect([watching.counted.vanished, watching.registry.others().size]).toEqual([2, 0])
  await watching.leave()
})
