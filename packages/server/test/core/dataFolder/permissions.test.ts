import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'
import { runAdmin } from '../../support/server/adminCommand.ts'
import { startProcess } from '../../support/server/serverProcess.ts'
import { sqliteTest } from '../../support/database/sqliteTest.ts'

vi.setConfig({ testTimeout: 60_000 })

const test = sqliteTest('data folder')
const databases = ['lock.db', 'privity.db', 'privity.db-shm', 'privity.db-wal']

let folder: string
let before: number
beforeEach(async () => {
  before = process.umask(0o022)
  // The permissions that a volume or a package sets.
  folder = await mkdtemp(join(tmpdir(), 'privity-owner-'))
  await chmod(folder, 0o755)
})
afterEach(async () => {
  process.umask(before)
  await rm(folder, { recursive: true, force: true })
})

/** Permissions of group and others for each file. */
async function forOthers(names: readonly string[]): Promise<Record<string, number>> {
  const modes = names.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o077] as const)
  return Object.fromEntries(await Promise.all(modes))
}

const files = async () => (await readdir(folder, { withFileTypes: true })).filter((each) => each.isFile())
const nothing = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]))

test('databases in a folder that everybody may read become readable by their owner alone', async () => {
  const server = await createTestServer({ dataDir: folder })
  await server.signUp()
  const names = (await files()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(databases))
  expect(await forOthers(names)).toEqual(nothing(names))
  await server.app.close()
  for (const name of (await files()).map((each) => each.name)) await chmod(join(folder, name), 0o644)
  await server.start()
  expect(await forOthers(databases)).toEqual(nothing(databases))
  await server.close()
})

test('files of a killed server become private, and the programs write for their user alone', async () => {
  const first = await startProcess({ DATA_DIR: folder })
  if (existsSync('/proc/self/status'))
    expect(await readFile(`/proc/${first.child.pid}/status`, 'utf8')).toMatch(/^Umask:\t0077$/m)
  expect(await forOthers(databases)).toEqual(nothing(databases))
  await first.stop('SIGKILL')
  for (const name of databases) await chmod(join(folder, name), 0o666)
  const second = await startProcess({ DATA_DIR: folder })
  expect(await forOthers(databases)).toEqual(nothing(databases))
  expect(await runAdmin(folder, ['backup', join(folder, 'copies', 'backup')])).toMatchObject({ code: 0 })
  expect(await forOthers(['copies'])).toEqual(nothing(['copies']))
  await second.stop('SIGTERM')
})
