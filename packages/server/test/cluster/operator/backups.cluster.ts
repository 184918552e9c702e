import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/config.ts'
import type { Config } from '../../../src/core/config/types.ts'
import { backUp } from '../../../src/operator/backup.ts'
import { openOperator } from '../../../src/operator/operator.ts'
import { restore } from '../../../src/operator/restore.ts'
import { prepareEmpty } from '../../../src/operator/postgresRestore.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { adminJson, runAdmin } from '../../support/server/adminCommand.ts'
import { createTalk, randomFile, writeOn } from '../../support/scenes/conversation.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let postgres: PostgresServer
let admin: Client
let folder: string
let made = 0

beforeAll(async () => {
  postgres = await startPostgres({ durable: false })
  admin = new Client({ connectionString: postgres.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await postgres.stop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-copies-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function createDatabase(): Promise<string> {
  const name = `copies${(made += 1)}`
  await admin.query(`create database ${name} encoding 'UTF8' locale 'C' template template0`)
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

/** Environment for a data folder: on PostgreSQL if there is a URL. */
const envOf = (url: string | undefined): Record<string, string> => (url === undefined ? {} : { DATABASE_URL: url })
const configOf = (dataDir: string, url?: string): Config => loadConfig({ DATA_DIR: dataDir, PORT: '0', ...envOf(url) })

const many = { requests: 100_000, window: 1000 }
const serve = (url: string | undefined, dataDir?: string) =>
  createTestServer({
    env: envOf(url),
    options: { rateLimits: { send: many, other: many } },
    ...(dataDir === undefined ? {} : { dataDir }),
  })

async function makeBackup(server: TestServer, url: string | undefined, name = 'backup') {
  const operator = await openOperator(configOf(server.dataDir, url), false, server.clock)
  try {
    return await backUp(operator, join(folder, name))
  } finally {
    await operator.close()
  }
}

async function newHome(server: TestServer, name: string): Promise<string> {
  const home = join(folder, name)
  await mkdir(home)
  await cp(join(server.dataDir, 'server-secret'), join(home, 'server-secret'))
  return home
}

const isHidden = (name: string) => name.startsWith('lock.db')

async function rowsOf(url: string, table: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${table}`)
    return Number(rows[0]?.rows)
  } finally {
    await client.end()
  }
}

test.each([
  ['PostgreSQL', 'PostgreSQL'],
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
])('a backup of %s is restored on %s with accounts, messages, files and log, without sessions', async (from, to) => {
  const [source, target] = [
    from === 'PostgreSQL' ? await createDatabase() : undefined,
    to === 'PostgreSQL' ? await createDatabase() : undefined,
  ]
  const server = await serve(source)
  const talk = await createTalk(server)
  const bytes = randomFile(50_000)
  const { filePath } = await talk.sendFile(talk.anna, bytes)
  await talk.send(talk.anna)
  for (let at = 0; at < 3; at += 1)
    await server.visitor().refused(session.login, { body: { username: talk.ben.user.username, password: 'wrong' } })
  const before = await selectAudit(server.core.db.read)
  const backup = await makeBackup(server, source)
  expect(backup).toMatchObject({ objects: 1 })
  expect((await readdir(backup.folder)).toSorted()).toEqual(['manifest.json', 'objects', 'privity.db'])

  const home = await newHome(server, 'home')
  const restored = await restore(configOf(home, target), backup.folder, server.clock)
  expect(restored).toMatchObject({ objects: 1, sessionsEnded: 2 })
  expect((await readdir(home)).filter((name) => !isHidden(name)).toSorted()).toEqual(
    to === 'PostgreSQL' ? ['objects', 'server-secret'] : ['objects', 'privity.db', 'server-secret'],
  )
  const second = await serve(target, home)
  const anna = second.visitor()
  expect((await anna.request('GET', '/api/user')).status).toBe(401)
  const { username } = talk.anna.user
  await anna.call(session.login, { body: { username, password: talk.anna.password } })
  expect(await anna.call(messages.list, { params: { id: talk.connection.id }, query: {} })).toHaveLength(2)
  expect(Buffer.from(await (await anna.fetch(filePath)).arrayBuffer())).toEqual(Buffer.from(bytes))
  expect(second.core.auditKey.publicKey).toBe(server.core.auditKey.publicKey)
  const after = await selectAudit(second.core.db.read)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.find(({ action }) => action === 'backup_restored')).toMatchObject({ actor_id: 'operator' })
  // New rows get numbers above the restored ones.
  const newcomer = await second.signUp()
  await second.visitor().refused(session.login, { body: { username: newcomer.user.username, password: 'wrong' } })
  const events = await second.core.db.read.all<{ rowid: number; created_at: number }>(
    'select rowid, created_at from security_events order by rowid',
  )
  expect(events.length).toBeGreaterThanOrEqual(4)
  expect(new Set(events.map(({ rowid }) => rowid)).size).toBe(events.length)
  expect(events.map(({ created_at }) => created_at)).toEqual(
    events.map(({ created_at }) => created_at).toSorted((a, b) => a - b),
  )
  await second.close()
  await server.close()
})

test('a backup made while processes write holds only acknowledged writes in order, with files', async () => {
  const url = await createDatabase()
  const server = await serve(url)
  const talk = await createTalk(server)
  const writer = await writeOn(talk, 20)
  const atStart = writer.sent()
  const backup = await makeBackup(server, url)
  await writer.stop()
  expect(writer.sent()).toBeGreaterThan(atStart)
  const home = await newHome(server, 'home')
  await restore(configOf(home, await createDatabase()), backup.folder, server.clock)
  const database = new DatabaseSync(join(backup.folder, 'privity.db'), { readOnly: true })
  const seqs = (database.prepare('select seq from messages order by seq').all() as { seq: number }[]).map(
    ({ seq }) => seq,
  )
  database.close()
  expect(seqs.length).toBeGreaterThanOrEqual(atStart)
  expect(seqs).toEqual(seqs.map((_seq, at) => at + 1))
  await server.close()
})

test('what has expired since a backup is not there any more once the server has started', async () => {
  const [url, target] = [await createDatabase(), await createDatabase()]
  const server = await serve(url)
  const talk = await createTalk(server)
  await talk.sendFile(talk.anna)
  const backup = await makeBackup(server, url)
  const home = await newHome(server, 'home')
  await restore(configOf(home, target), backup.folder, server.clock)
  expect(await rowsOf(target, 'messages')).toBe(1)
  const past = new Client({ connectionString: target })
  await past.connect()
  await past.query('update messages set expires_at = 1; update files set expires_at = 1')
  await past.end()
  const second = await serve(target, home)
  expect(await rowsOf(target, 'messages')).toBe(0)
  expect((await readdir(join(home, 'objects'))).filter((name) => name !== 'partial')).toEqual([])
  await second.close()
  await server.close()
})

test('a restore into a filled database, or of an altered backup, is refused and changes nothing', async () => {
  const [url, target] = [await createDatabase(), await createDatabase()]
  const server = await serve(url)
  const talk = await createTalk(server)
  await talk.sendFile(talk.anna)
  const backup = await makeBackup(server, url)
  const home = await newHome(server, 'home')
  await expect(restore(configOf(home, url), backup.folder, server.clock)).rejects.toThrow('is not empty')
  expect((await readdir(home)).filter((name) => !isHidden(name))).toEqual(['server-secret'])

  const database = join(backup.folder, 'privity.db')
  const whole = await readFile(database)
  const altered = Buffer.from(whole)
  altered[altered.length - 100] = (altered.at(-100) ?? 0) ^ 1
  await writeFile(database, altered)
  await expect(restore(configOf(home, target), backup.folder, server.clock)).rejects.toThrow(
    'does not match the backup',
  )
  expect(await rowsOf(target, 'users')).toBe(0)
  expect((await readdir(home)).filter((name) => !isHidden(name))).toEqual(['server-secret'])

  await writeFile(database, whole)
  expect(await restore(configOf(home, target), backup.folder, server.clock)).toMatchObject({ objects: 1 })
  await expect(restore(configOf(home, target), backup.folder, server.clock)).rejects.toThrow('is not empty')
  expect((await readdir(join(home, 'objects'))).length).toBe(1)
  await server.close()
})

test('a restore that loses its connection leaves nothing behind and succeeds when run again', async () => {
  const [url, target] = [await createDatabase(), await createDatabase()]
  const server = await serve(url)
  const talk = await createTalk(server)
  await talk.sendFile(talk.anna)
  const backup = await makeBackup(server, url)
  const home = await newHome(server, 'home')
  await prepareEmpty(target)
  const other = new Client({ connectionString: target })
  await other.connect()
  await other.query('begin; lock table messages in row exclusive mode')
  const cut = expect(restore(configOf(home, target), backup.folder, server.clock)).rejects.toThrow()
  const waiting = "from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'"
  for (let ended = 0; ended === 0;)
    ended =
      (await admin.query(`select pg_terminate_backend(pid) ${waiting}`, [new URL(target).pathname.slice(1)]))
        .rowCount ?? 0
  await cut
  await other.query('rollback')
  await other.end()
  for (const table of ['users', 'messages', 'audit_log']) expect(await rowsOf(target, table)).toBe(0)
  expect((await readdir(home)).filter((name) => !isHidden(name))).toEqual(['server-secret'])
  expect(await restore(configOf(home, target), backup.folder, server.clock)).toMatchObject({ objects: 1 })
  expect(await rowsOf(target, 'users')).toBe(2)
  await server.close()
})

test('the command line makes a backup of PostgreSQL and restores it', async () => {
  const [url, target] = [await createDatabase(), await createDatabase()]
  const server = await serve(url)
  const talk = await createTalk(server)
  await talk.sendFile(talk.anna)
  const backup = await adminJson<{ objects: number }>(server.dataDir, ['backup', join(folder, 'made')], envOf(url))
  expect(backup.objects).toBe(1)
  const home = await newHome(server, 'home')
  expect(await runAdmin(home, ['restore', join(folder, 'made')], envOf(target))).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^Restored into the database of DATABASE_URL, the files into \S+home, as of .*: 1 files/,
    ),
  })
  expect(await rowsOf(target, 'users')).toBe(2)
  expect(await rowsOf(target, 'processes')).toBe(0)
  await server.close()
})
