import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messages } from '@privity/contract/messages'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { loadConfig } from '../../src/core/config/config.ts'
import { backUp } from '../../src/operator/backup.ts'
import { measure } from '../../src/operator/backupFiles.ts'
import { openOperator, type Operator } from '../../src/operator/operator.ts'
import { restore } from '../../src/operator/restore.ts'
import { signInFounder } from '../support/founder/founder.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import { selectAudit } from '../support/scenes/auditEntries.ts'
import { runAdmin } from '../support/server/adminCommand.ts'
import { enableTotp, enterPassword } from '../support/scenes/secondFactor.ts'
import { createTalk, randomFile, writeOn } from '../support/scenes/conversation.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

const test = sqliteTest('backups')

let folder: string
let server: TestServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-backup-'))
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { send: many, other: many } } })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const configOf = (dataDir: string) => loadConfig({ DATA_DIR: dataDir, PORT: '0' })

async function withOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const operator = await openOperator(configOf(server.dataDir), false, server.clock)
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}

const makeBackup = (name = 'backup') => withOperator((operator) => backUp(operator, join(folder, name)))

/** A data folder that holds only the secret. */
async function newHome(name: string): Promise<string> {
  const home = join(folder, name)
  await mkdir(home)
  await cp(join(server.dataDir, 'server-secret'), join(home, 'server-secret'))
  return home
}

describe('a backup', () => {
  test('leaves alone what lies beside it, whatever its name, and nothing half made', async () => {
    await mkdir(join(folder, 'backup.partial'))
    await writeFile(join(folder, 'backup.partial', 'mine'), 'kept')
    await makeBackup()
    expect(await readFile(join(folder, 'backup.partial', 'mine'), 'utf8')).toBe('kept')
    expect((await readdir(folder)).toSorted()).toEqual(['backup', 'backup.partial'])
    expect((await stat(join(folder, 'backup'))).mode & 0o777).toBe(0o700)
  })

  test('of a running server is restored with accounts, messages, files and log, without sessions', async () => {
    const talk = await createTalk(server)
    const bytes = randomFile(50_000)
    const { filePath } = await talk.sendFile(talk.anna, bytes)
    await talk.send(talk.anna)
    const founder = await signInFounder(server)
    const made = await makeBackup()
    expect(made).toMatchObject({ objects: 1 })
    expect((await readdir(made.folder)).sort()).toEqual(['manifest.json', 'objects', 'privity.db'])
    expect((await selectAudit(server.core.db.read)).at(-1)).toMatchObject({
      action: 'backup_made',
      actor_id: 'operator',
    })

    const home = await newHome('home')
    const restored = await restore(configOf(home), made.folder, server.clock)
    expect(restored).toMatchObject({ objects: 1, sessionsEnded: 2 })
    const second = await createTestServer({ dataDir: home })
    try {
      const anna = second.visitor()
      expect((await anna.request('GET', '/api/user')).status).toBe(401)
      const before = second.visitor()
      for (const [name, value] of founder.cookies) before.cookies.set(name, value)
      expect((await before.request('GET', '/api/founder/verify')).status).toBe(401)
      expect((await founder.request('GET', '/api/founder/verify')).status).toBe(200)
      const { username } = talk.anna.user
      await anna.call(session.login, { body: { username, password: talk.anna.password } })
      const list = await anna.call(messages.list, { params: { id: talk.connection.id }, query: {} })
      expect(list).toHaveLength(2)
      const answer = await anna.fetch(filePath)
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(bytes))
      expect(second.core.auditKey.publicKey).toBe(server.core.auditKey.publicKey)
      const entries = await selectAudit(second.core.db.read)
      expect(entries.find(({ action }) => action === 'backup_restored')).toMatchObject({ actor_id: 'operator' })
    } finally {
      await second.close()
    }
  })

  test('leaves nobody half signed in: what waited for a second factor begins again', async () => {
    const member = await server.signUp()
    const { recoveryCodes } = await enableTotp(server, member)
    const browser = server.visitor()
    const { ticket } = await enterPassword(browser, member)
    const made = await makeBackup()
    const home = await newHome('home')
    await restore(configOf(home), made.folder, server.clock)
    await using second = await createTestServer({ dataDir: home })
    const before = second.visitor()
    for (const [name, value] of browser.cookies) before.cookies.set(name, value)
    const body = { ticket, recoveryCode: recoveryCodes[0] as string }
    expect((await before.refused(secondFactor.signIn, { body })).body.code).toBe('TICKET_INVALID')
    await browser.call(secondFactor.signIn, { body })
  })

  test(
    'made while the server writes holds only acknowledged writes in order, and their files',
    { timeout: 60_000 },
    async () => {
      const talk = await createTalk(server)
      const writer = await writeOn(talk, 20)
      const atStart = writer.sent()
      const made = [await makeBackup('one'), await makeBackup('two')]
      await writer.stop()
      expect(writer.sent()).toBeGreaterThan(atStart)
      for (const [index, each] of made.entries()) {
        const home = await newHome(`home${index}`)
        await restore(configOf(home), each.folder, server.clock)
        const database = new DatabaseSync(join(home, 'privity.db'), { readOnly: true })
        const seqs = (database.prepare('select seq from messages order by seq').all() as { seq: number }[]).map(
          ({ seq }) => seq,
        )
        database.close()
        expect(seqs.length).toBeGreaterThanOrEqual(atStart)
        expect(seqs).toEqual(seqs.map((_, at) => at + 1))
      }
    },
  )

  test('holds neither the secret nor readable content of members, and is for its owner only', async () => {
    const talk = await createTalk(server)
    await talk.sendFile(talk.anna, randomFile(100))
    const made = await makeBackup()
    const secret = (await readFile(join(server.dataDir, 'server-secret'), 'utf8')).trim()
    for (const entry of await readdir(made.folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      expect((await stat(path)).mode & 0o077, path).toBe(0)
      if (entry.isFile()) expect((await readFile(path)).includes(secret), path).toBe(false)
    }
    expect((await stat(made.folder)).mode & 0o077).toBe(0)
  })

  test('is not written over another, and one that fails leaves nothing and no entry', async () => {
    const talk = await createTalk(server)
    const { filePath } = await talk.sendFile(talk.anna, randomFile(100))
    await makeBackup()
    await expect(makeBackup()).rejects.toThrow('is not empty')
    const before = await selectAudit(server.core.db.read)
    // A folder in place of the file cannot be copied.
    const object = join(server.dataDir, 'objects', filePath.split('/').at(-1) as string)
    await rm(object)
    await mkdir(object)
    await expect(makeBackup('other')).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['backup'])
    expect(await selectAudit(server.core.db.read)).toEqual(before)
    await rm(object, { recursive: true })
  })
})

describe('a restore is refused, and leaves the folder as it was,', () => {
  async function refused(
    spoil: (backup: string, home: string) => Promise<unknown>,
    why: string | RegExp,
  ): Promise<void> {
    const talk = await createTalk(server)
    await talk.sendFile(talk.anna, randomFile(5_000))
    const { folder: backup } = await makeBackup()
    const home = await newHome('home')
    await spoil(backup, home)
    const before = (await readdir(home)).filter((name) => name !== 'lock.db')
    await expect(restore(configOf(home), backup, server.clock)).rejects.toThrow(why)
    expect((await readdir(home)).filter((name) => name !== 'lock.db')).toEqual(before)
  }
  const objectOf = async (backup: string) => {
    const [name = ''] = await readdir(join(backup, 'objects'))
    return join(backup, 'objects', name)
  }
  /** Edits the database of a backup and makes its hash in the manifest match. */
  async function forge(backup: string, edit: (database: DatabaseSync) => void): Promise<void> {
    const path = join(backup, 'privity.db')
    const database = new DatabaseSync(path)
    edit(database)
    database.exec('pragma journal_mode = delete')
    database.close()
    const file = join(backup, 'manifest.json')
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { database: object }
    await writeFile(file, JSON.stringify({ ...manifest, database: await measure(path) }))
  }

  test('where a file is missing', () => refused(async (backup) => rm(await objectOf(backup)), /The file .* is missing/))
  test('where a file was altered', () =>
    refused(
      async (backup) => writeFile(await objectOf(backup), randomFile(5_000)),
      /The file .* does not match the backup/,
    ))
  test('where the database was altered', () =>
    refused(async (backup) => writeFile(join(backup, 'privity.db'), 'x'), 'The database does not match the backup'))
  test('where the audit log was altered with everything around it', () =>
    refused(
      (backup) =>
        forge(backup, (database) => {
          database.exec('drop trigger audit_log_keeps_content')
          database.exec("update audit_log set action = 'nothing' where seq = 2")
        }),
      'Entry 2 was altered',
    ))
  test('where the newest entries were cut off with everything around them', () =>
    refused(
      (backup) =>
        forge(backup, (database) => {
          database.exec('drop trigger audit_log_keeps_entries')
          database.exec('delete from audit_log where seq = (select min(seq) + 2 from audit_log)')
        }),
      /Entry 3 is missing/,
    ))
  test('where a role was altered with every hash around it', () =>
    refused(
      (backup) => forge(backup, (database) => database.exec("update users set role = 'super_admin'")),
      'manifest.json was not signed by the server',
    ))
  test('where the key of the log was taken out, and the log with it, for a new one to be made', () =>
    refused(
      (backup) =>
        forge(backup, (database) => {
          database.exec("delete from settings where key = 'audit_signing_key'")
          database.exec('drop trigger audit_heads_keeps_entries')
          database.exec('delete from audit_heads')
        }),
      'manifest.json was not signed by the server',
    ))
  test('where a file that the database names is in no list', () =>
    refused(async (backup) => {
      const file = join(backup, 'manifest.json')
      const manifest = JSON.parse(await readFile(file, 'utf8')) as object
      await writeFile(file, JSON.stringify({ ...manifest, objects: [] }))
    }, /The file .* is missing/))
  test('with another secret', () =>
    refused(
      (_backup, home) => writeFile(join(home, 'server-secret'), 'y'.repeat(43)),
      'does not belong to this backup',
    ))
  test('without a secret', () => refused((_backup, home) => rm(join(home, 'server-secret')), 'server-secret'))
  test('into a folder that holds something', () =>
    refused((_backup, home) => writeFile(join(home, 'privity.db'), ''), 'is not empty'))
  test('from a folder that is no backup', () =>
    refused((backup) => rm(join(backup, 'manifest.json')), 'is not a backup'))
})

test('a restore that was cut off keeps the server from starting, and is simply run again', async () => {
  const talk = await createTalk(server)
  await talk.sendFile(talk.anna)
  const { folder: backup } = await makeBackup()
  const home = await newHome('home')
  await mkdir(join(home, 'objects'))
  await cp(join(backup, 'privity.db'), join(home, 'privity.db.restoring'))
  await writeFile(join(home, 'objects', 'half'), 'x')
  await expect(createTestServer({ dataDir: home })).rejects.toThrow('was cut off in the middle')
  expect(await readdir(join(home, 'objects'))).toEqual(['half'])
  expect(await restore(configOf(home), backup, server.clock)).toMatchObject({ objects: 1 })
  expect(await readdir(join(home, 'objects'))).toHaveLength(1)
  await (await createTestServer({ dataDir: home })).close()
})

test('npm run admin -- backup and restore say what they did', { timeout: 60_000 }, async () => {
  await createTalk(server)
  const backup = join(folder, 'backup')
  expect(await runAdmin(server.dataDir, ['backup', backup])).toMatchObject({
    code: 0,
    output: expect.stringContaining('The secret is not included'),
  })
  const home = await newHome('home')
  const restored = await runAdmin(home, ['restore', backup])
  expect(restored).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Restored into \S+home as of .*entries of the audit log verified, 2 sessions ended/),
  })
  expect(await runAdmin(home, ['restore', backup])).toMatchObject({
    code: 1,
    error: expect.stringContaining('not empty'),
  })
  expect(await runAdmin(home, ['audit', 'check'])).toMatchObject({ code: 0, output: expect.stringContaining('Whole') })
})
