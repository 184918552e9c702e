import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Clock, Stop } from '../../src/core/clock.ts'
import { loadConfig } from '../../src/core/config/config.ts'
import { createFakeClock } from '../support/server/fakeClock.ts'
import { createTestServer } from '../support/server/testServer.ts'
import { databaseEnv } from '../support/database/testDatabase.ts'

test('a start that fails at its end releases the data folder and its timers', async () => {
  const time = createFakeClock()
  const running = new Set<number>()
  let started = 0
  const counted = (stop: Stop): Stop => {
    const nth = started++
    running.add(nth)
    return () => {
      running.delete(nth)
      stop()
    }
  }
  const clock: Clock = {
    ...time,
    every: (milliseconds, run) => counted(time.every(milliseconds, run)),
    after: (milliseconds, run) => counted(time.after(milliseconds, run)),
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-start-'))
  try {
    const deriveFounderSecret = () => Promise.reject(new Error('no memory for that'))
    const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...(await databaseEnv(dataDir)) })
    await expect(createApp(config, { clock, deriveFounderSecret })).rejects.toThrow('no memory for that')
    expect(started).toBeGreaterThan(0)
    expect([...running]).toEqual([])
    await using server = await createTestServer({ dataDir })
    expect((await server.visitor().request('GET', '/api/health')).status).toBe(200)
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('a start that a full disk prevents says so, and where', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-start-'))
  try {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...(await databaseEnv(dataDir)) })
    const start = createApp(config, { deriveFounderSecret: () => Promise.reject(full) })
    await expect(start).rejects.toThrow(`the disk of ${dataDir} or of the database is full. Free some space first.`)
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

const isFile = /: it, or a folder above it, is a file\. /
const isNoPlace = /: (no file can be created there|that file system is read-only)\. /

test.each([
  ['a device', '/dev/null', isFile],
  ['below a file', 'taken/data', isFile],
  ['a folder that cannot be created', '/proc/privity', isNoPlace],
  ['a folder that takes no files', '/proc', isNoPlace],
])('a start whose data folder is %s says so in one sentence', async (_what, path, reason) => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-start-'))
  try {
    await writeFile(join(folder, 'taken'), '')
    const dataDir = resolve(folder, path)
    const start = createApp(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }))
    await expect(start).rejects.toMatchObject({
      name: 'ConfigError',
      problems: [expect.stringMatching(reason)],
      message: expect.stringContaining(`DATA_DIR is ${dataDir}: `),
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
