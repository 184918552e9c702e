import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { config } from '@privity/contract/config'
import { expect, test, vi } from 'vitest'
import {
  checkHealth,
  healthWith,
  latestProblems,
  problemsIn,
  watchHealth,
} from '../../../src/features/health/health.ts'
import { createGate } from '../../support/server/gate.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { withFounder } from '../../support/founder/monitoring.ts'

const second = 1_000
const minute = 60 * second

test.each([
  [{}, 'good', []],
  [{ loopDelay: 200, freeDisk: 0.1 }, 'good', []],
  [{ loopDelay: 200.1 }, 'warning', ['eventLoop']],
  [{ freeDisk: 0.0999 }, 'warning', ['diskSpace']],
  [{ loopDelay: 900, freeDisk: 0 }, 'warning', ['eventLoop', 'diskSpace']],
  [{ database: false }, 'critical', ['database']],
  [{ objectStore: false, freeDisk: 0.01 }, 'critical', ['objectStore', 'diskSpace']],
  [{ auditLog: false }, 'critical', ['auditLog']],
] as const)('%j makes the health %s', (readings, systemHealth, healthProblems) => {
  const usual = { database: true, objectStore: true, auditLog: true, loopDelay: 3, freeDisk: 0.5 }
  const problems = problemsIn({ ...usual, ...readings })
  expect([healthWith(problems), problems]).toEqual([systemHealth, healthProblems])
})

test('the health is critical once a check in the background finds the object store gone', async () => {
  await using own = await withFounder()
  const { server } = own
  expect((await own.stats()).systemHealth).not.toBe('critical')
  await rm(join(server.dataDir, 'objects'), { recursive: true })
  expect((await own.stats()).systemHealth).not.toBe('critical')
  await server.advance(15 * second)
  expect(await own.stats()).toMatchObject({ systemHealth: 'critical' })
  expect((await own.stats()).healthProblems).toContain('objectStore')
})

test('the health is critical where the database takes no writes, or a check does not come back', async () => {
  await using own = await withFounder()
  const { server } = own
  const write = vi.spyOn(server.core.db, 'write').mockRejectedValue(new Error('the disk is gone'))
  await server.advance(15 * second)
  expect((await own.stats()).healthProblems).toContain('database')
  write.mockRestore()
  await server.advance(15 * second)
  expect((await own.stats()).healthProblems).not.toContain('database')

  using gate = createGate()
  vi.spyOn(server.core.storage, 'check').mockImplementation(gate.pass)
  server.clock.advance(15 * second)
  // Before that, the check is still in the database step.
  await gate.reached
  expect((await own.stats()).systemHealth).not.toBe('critical')
  server.clock.advance(minute)
  expect(await own.stats()).toMatchObject({ systemHealth: 'critical', healthProblems: ['objectStore'] })
  expect((await server.visitor().call(config.health, {})).status).toBe('critical')
})

test('a disk that is nearly full is a warning, to the founder by its name and to everyone as one', async () => {
  await using own = await withFounder()
  const { server } = own
  // A disk that cannot be checked counts as full.
  server.core.config = { ...server.core.config, dataDir: join(server.dataDir, 'nowhere') }
  await server.advance(15 * second)
  expect((await own.stats()).healthProblems).toContain('diskSpace')
  expect((await server.visitor().call(config.health, {})).status).toBe('warning')
})

test('who asks before the first check has ended waits for it', async () => {
  await using server = await createTestServer()
  const gate = createGate()
  const check = () => gate.pass().then((): Promise<void> => Promise.reject(new Error('gone')))
  const core = { ...server.core, storage: { ...server.core.storage, check } }
  watchHealth(core)
  const asked = latestProblems(core)
  const checked = checkHealth(core)
  await gate.reached
  gate.open()
  await checked
  expect(await asked).toContain('objectStore')
  core.storage.check = async () => {}
  await checkHealth(core)
  server.clock.advance(minute)
  expect(await latestProblems(core), 'a check that has ended is not missed').not.toContain('objectStore')
})
