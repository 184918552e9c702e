import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, expect } from 'vitest'
import { openSqlite } from '../../src/core/database/sqlite/driver.ts'
import { migrations } from '../../src/migrations/list.ts'
import { exportLines, takeSnapshot } from '../../src/features/auditLogs/exportLines.ts'
import { createTestServer } from '../support/server/testServer.ts'
import { selectAudit } from '../support/scenes/auditEntries.ts'
import { verify } from '../support/scenes/auditFile.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

const test = sqliteTest('older versions')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-migration-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '012'))

/** A database as it was before the migration, with entries in the chain of that time. */
async function createOld(entries: readonly (string | number | null)[][]) {
  const path = join(folder, 'privity.db')
  const database = openSqlite(path)
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  const { error } = await new Migrator({
    db: kysely,
    provider: { getMigrations: async () => before },
  }).migrateToLatest()
  expect(error).toBeUndefined()
  database.exec(`insert into organizations (id, name, type, created_at) values ('org', 'Old', 'Law', 1)`)
  database.exec(`insert into users (id, username, email, first_name, last_name, role, organization_id, connection_code,
    password_hash, created_at) values ('ada', 'ada', 'ada@example.com', 'Ada', 'L', 'super_admin', 'org', 'A', 'x', 1)`)
  database.exec(`insert into retired_users values ('gone', 1)`)
  database.close()
  const old = new DatabaseSync(path)
  const insert = old.prepare('insert into audit_log values (?, ?, ?, ?, ?, ?, ?, ?)')
  let hash = ''
  for (const [index, rest] of entries.entries()) {
    const fields = [index + 1, ...rest]
    hash = createHash('sha256')
      .update(`${hash}\n${JSON.stringify(fields)}`)
      .digest('base64url')
    insert.run(...fields, hash)
  }
  old.close()
  return hash
}

test('what was in the log of an older database is carried over, in a chain that proves itself', async () => {
  const now = Date.parse('2026-01-15T10:00:00Z')
  const formerHead = await createOld([
    [now, 'account_created', 'ada', 'ada', '10.0.0.1', '{"invited":false}'],
    [now + 1, 'account_deleted', 'gone', 'gone', '10.0.0.2', '{}'],
    [now + 2, 'session_ended', 'ada', 'some-session', null, '{}'],
    [now + 3, 'swept', null, null, null, '{"count":3}'],
  ])
  const server = await createTestServer({ dataDir: folder })
  const rows = await selectAudit(server.core.db.read)
  expect(rows.map((row) => [row.seq, row.created_at, row.action, row.actor_id, row.actor_organization])).toEqual([
    [1, now, 'account_created', 'ada', 'org'],
    [2, now + 1, 'account_deleted', 'gone', 'org'],
    [3, now + 2, 'session_ended', 'ada', 'org'],
    [4, now + 3, 'swept', null, null],
    [5, now + 3, 'audit_log_carried_over', null, null],
  ])
  expect(rows.map(({ target_id, target_organization, address }) => [target_id, target_organization, address])).toEqual([
    ['ada', 'org', '10.0.0.1'],
    ['gone', 'org', '10.0.0.2'],
    ['some-session', null, null],
    [null, null, null],
    [null, null, null],
  ])
  expect(rows.map(({ details }) => details)).toEqual([
    '{"invited":false}',
    '{}',
    '{}',
    '{"count":3}',
    JSON.stringify({ entries: 4, formerHead }),
  ])
  const { db, auditKey } = server.core
  let text = ''
  for await (const part of exportLines(db.read, auditKey, await takeSnapshot(db.read, null, now + 5))) text += part
  expect(await verify(text, auditKey.publicKey)).toMatchObject({ problem: undefined, entries: 5, own: 5 })
  await expect(db.write((tx) => tx.run('delete from audit_log'))).rejects.toThrow('append-only')
  await server.restart()
  expect(await selectAudit(server.core.db.read)).toEqual(rows)
  await server.close()
})

test('an empty log stays empty', async () => {
  await createOld([])
  const server = await createTestServer({ dataDir: folder })
  expect(await selectAudit(server.core.db.read)).toEqual([])
  await server.close()
})
