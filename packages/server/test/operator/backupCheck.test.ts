import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { loadConfig } from '../../src/core/config/config.ts'
import { backUp } from '../../src/operator/backup.ts'
import { openOperator } from '../../src/operator/operator.ts'
import { checkBackup } from '../../src/operator/restore.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import { runAdmin } from '../support/server/adminCommand.ts'
import { createTalk, randomFile } from '../support/scenes/conversation.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

const test = sqliteTest('backups')

let folder: string
let server: TestServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-checked-'))
  server = await createTestServer()
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A backup of one conversation with one file, and a folder that holds only the secret. */
async function makeBackup(): Promise<{ backup: string; home: string }> {
  const talk = await createTalk(server)
  await talk.sendFile(talk.anna, randomFile(5_000))
  const operator = await openOperator(loadConfig({ DATA_DIR: server.dataDir }), false, server.clock)
  const made = await backUp(operator, join(folder, 'backup'))
  await operator.close()
  const home = join(folder, 'home')
  await mkdir(home)
  await cp(join(server.dataDir, 'server-secret'), join(home, 'server-secret'))
  return { backup: made.folder, home }
}

/** Names and contents of all files below the path. */
async function contentsOf(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(files.map((file) => readFile(file, 'base64')))
  return Object.fromEntries(files.map((file, index) => [file, texts[index] as string]))
}

const check = (backup: string, home: string) => checkBackup(loadConfig({ DATA_DIR: home }), backup, server.clock)

test('a backup is checked without restoring it: neither it nor the data folder changes', async () => {
  const { backup, home } = await makeBackup()
  const before = [await contentsOf(backup), await contentsOf(home)]
  const { code, output } = await runAdmin(home, ['backup', 'check', backup])
  expect([code, output]).toEqual([0, expect.stringMatching(/^Whole, as of .* 1 files, \d+ entries of the audit log/)])
  expect([await contentsOf(backup), await contentsOf(home)]).toEqual(before)
})

test('a backup is checked beside the server that made it', async () => {
  const { backup } = await makeBackup()
  expect(await runAdmin(server.dataDir, ['backup', 'check', backup])).toMatchObject({ code: 0 })
})

test.each([
  ['whose file is missing', async (backup: string) => rm(join(backup, 'objects'), { recursive: true }), 'is missing'],
  ['whose database was altered', async (backup: string) => writeFile(join(backup, 'privity.db'), 'x'), 'altered'],
  [
    'whose manifest was altered',
    async (backup: string) => {
      const file = join(backup, 'manifest.json')
      const manifest = JSON.parse(await readFile(file, 'utf8')) as object
      await writeFile(file, JSON.stringify({ ...manifest, madeAt: 1 }))
    },
    'not signed by the server',
  ],
  [
    'of another secret',
    async (_backup: string, home: string) => writeFile(join(home, 'server-secret'), 'y'.repeat(43)),
    'does not belong to this backup',
  ],
  ['without its secret', async (_backup: string, home: string) => rm(join(home, 'server-secret')), 'server-secret'],
])('a backup %s is not called whole', async (_what, spoil, why) => {
  const { backup, home } = await makeBackup()
  await spoil(backup, home)
  await expect(check(backup, home)).rejects.toThrow(why)
})

const pipe = (path: string) => void execFileSync('mkfifo', [path])
const device = (path: string) => symlinkSync('/dev/zero', path)

test.each([
  ['manifest.json', 'a pipe', pipe],
  ['manifest.json', 'a link to a device', device],
  ['privity.db', 'a pipe', pipe],
  ['objects', 'a link to a device', device],
])('a backup whose %s is %s is refused instead of read for ever', async (name, _kind, put) => {
  const { backup, home } = await makeBackup()
  const [file] = name === 'objects' ? await readdir(join(backup, name)) : ['']
  const path = join(backup, name, file ?? '')
  await rm(path)
  put(path)
  await expect(check(backup, home)).rejects.toThrow(/^The .* is not a regular file\.$/)
})
