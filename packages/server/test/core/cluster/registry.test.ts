import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSingleProcess } from '../../../src/core/cluster/singleProcess.ts'
import { loadAuditKey } from '../../../src/core/audit/signingKey.ts'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db } from '../../../src/core/database/types.ts'
import { createProcesses, type Processes } from '../../../src/core/cluster/cluster.ts'
import { registryTimes } from '../../../src/core/database/processHeartbeat.ts'
import { createSecrets } from '../../../src/core/secrets/secrets.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'

let folder: string
let db: Db
let fails = false
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-processes-'))
  db = await openDb(join(folder, 'privity.db'), { onError: (error) => expect.fail(String(error)) })
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => void (fails = false))

const clock = createFakeClock()
const { log } = fastify()

function createProcess(): { processes: Processes; counted: { missed: number; shutOut: number } } {
  const write: Db['write'] = (work) => (fails ? Promise.reject(new Error('the database is away')) : db.write(work))
  const secrets = createSecrets('a secret')
  const counted = { missed: 0, shutOut: 0 }
  const shutOut = () => void (counted.shutOut += 1)
  const processes = createProcesses({
    db: { ...db, write },
    clock,
    log,
    secrets,
    valkeyUrl: undefined,
    onShutOut: shutOut,
  })
  processes.bus.subscribe('eventsLost', () => void (counted.missed += 1))
  return { processes, counted }
}

test('a process without Valkey trusts its memory while the database says that there is no other', async () => {
  const [one, other] = [createProcess(), createProcess()]
  await one.processes.join()
  expect(one.processes.bus.receivesAllEvents()).toBe(true)
  await other.processes.join()
  clock.advance(registryTimes.beat)
  await one.processes.settled()
  expect([one.processes.bus.receivesAllEvents(), other.processes.bus.receivesAllEvents()]).toEqual([false, false])
  await other.processes.leave()
  clock.advance(registryTimes.beat)
  await one.processes.settled()
  expect(one.processes.bus.receivesAllEvents()).toBe(true)
  await one.processes.leave()
})

test('a process that was paused or cannot read the registry clears its caches until it has', async () => {
  const { processes, counted } = createProcess()
  await processes.join()
  fails = true
  clock.advance(registryTimes.beat)
  await processes.settled()
  expect(processes.bus.receivesAllEvents()).toBe(true)
  for (let beats = 1; beats < 3; beats++) {
    clock.advance(registryTimes.beat)
    await processes.settled()
  }
  expect(processes.bus.receivesAllEvents()).toBe(false)
  const before = counted.missed
  fails = false
  clock.advance(registryTimes.beat)
  await processes.settled()
  expect([processes.bus.receivesAllEvents(), counted.missed]).toEqual([true, before + 1])
  clock.advance(60_000)
  expect(processes.bus.receivesAllEvents()).toBe(false)
  await processes.settled()
  expect([processes.bus.receivesAllEvents(), counted.missed]).toEqual([true, before + 2])
  await processes.leave()
})

test('after a commit of unknown outcome all that is open is checked and shown again, for a while', async () => {
  const { processes, counted } = createProcess()
  await processes.join()
  let resyncs = 0
  processes.bus.subscribe('eventsRestored', () => void (resyncs += 1))
  const before = counted.missed
  processes.reportUncertainCommit()
  expect([counted.missed - before, resyncs]).toEqual([1, 1])
  for (let passed = 0; passed < 60_000; passed += registryTimes.beat) {
    clock.advance(registryTimes.beat)
    await processes.settled()
  }
  expect([counted.missed - before, resyncs]).toEqual([4, 4])
  await processes.leave()
  const alone = createSingleProcess()
  let missed = 0
  alone.bus.subscribe('eventsLost', () => void (missed += 1))
  alone.reportUncertainCommit()
  expect(missed).toBe(1)
})

test('under a replaced secret no process can start, and none that was paused can continue', async () => {
  const [early, paused, late] = [createProcess(), createProcess(), createProcess()]
  await loadAuditKey(db, createSecrets('a secret'))
  await early.processes.join()
  await paused.processes.join()
  const { value } = (await db.read.get<{ value: string }>('select value from settings')) ?? { value: '' }
  const resealed = createSecrets('another secret').encryptAtRest(createSecrets('a secret').decryptAtRest(value))
  await db.write(async (tx) => {
    await tx.run('update settings set value = ?', [resealed])
    await tx.run('delete from processes where id = ?', [paused.processes.id ?? ''])
  })
  await expect(late.processes.join()).rejects.toThrow('secret is not the one')
  clock.advance(registryTimes.beat)
  await Promise.all([early, paused].map(({ processes }) => processes.settled()))
  expect([early, paused, late].map(({ counted }) => counted.shutOut)).toEqual([0, 1, 0])
  // Neither of them remains registered.
  const rows = await db.read.all('select id from processes')
  expect(rows).toEqual([{ id: early.processes.id }])
  for (const { processes } of [early, paused]) await processes.leave()
  await db.write((tx) => tx.run('delete from settings'))
})
