import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../src/core/database/database.ts'
import type { Db } from '../../src/core/database/types.ts'
import { createKysely } from '../../src/core/database/postgres/kysely.ts'
import { openSqlite } from '../../src/core/database/sqlite/driver.ts'
import { migrations } from '../../src/migrations/list.ts'
import { createTestServer } from '../support/server/testServer.ts'
import { dropDatabaseOf, emptyDatabaseOf, onPostgres } from '../support/database/testDatabase.ts'

/** The last of the release before. */
const released = '024-confirmed-founder-sessions'

let folder: string
const path = () => join(folder, 'privity.db')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-upgrade-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await dropDatabaseOf(folder)
})

const person = (id: string, role: string) => `insert into users
  (id, username, email, first_name, last_name, role, organization_id, connection_code, password_hash, created_at)
  values ('${id}', '${id}', '${id}@example.com', '${id}', 'B', '${role}', 'o', 'code of ${id}', 'none', 60000)`

const message = (seq: number, at: number) => `insert into messages
  (id, connection_id, seq, sender_id, envelope_id, message_type, created_at, expires_at, content)
  values ('message ${seq}', 'c', ${seq}, 'amara', 'e', 'text', ${at}, 99999999999999, 'sealed ${seq}')`

/** What the release before may have left, with its own counts. */
const left = [
  "insert into organizations (id, name, type, created_at) values ('o', 'Chambers', 'Legal', 60000)",
  person('amara', 'super_admin'),
  person('ben', 'user'),
  "insert into connections (id, user_id_1, user_id_2, connected_at) values ('c', 'amara', 'ben', 60000)",
  message(1, 60_000),
  message(2, 60_001),
  message(3, 120_000),
  'insert into message_minutes (minute, messages) values (1, 2), (2, 1)',
  "insert into settings (key, value) values ('kept', 'it’s kept')",
]

async function fill(db: Kysely<unknown>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  expect((await migrator.migrateTo(released)).error).toBeUndefined()
  for (const statement of left) await sql.raw(statement).execute(db)
}

async function makeOld(): Promise<void> {
  if (onPostgres) {
    const client = new Client({ connectionString: await emptyDatabaseOf(folder) })
    await client.connect()
    await fill(createKysely((text, params) => client.query(text, params as unknown[])) as unknown as Kysely<unknown>)
    await client.end()
  } else {
    const database = openSqlite(path())
    await fill(new Kysely<unknown>({ dialect: new SqliteDialect({ database }) }))
    database.close()
  }
}

const open = async (): Promise<Db> =>
  openDb(path(), {
    ...(onPostgres && { postgres: { url: await emptyDatabaseOf(folder), readers: 1 } }),
    onError(error) {
      throw error
    },
  })

/** Every table with its columns and indexes. */
const schemaOf = ({ read }: Pick<Db, 'read'>) =>
  onPostgres
    ? read.all(
        `select table_name as t, column_name as c, data_type as d, is_nullable as n, coalesce(column_default, '') as v
         from information_schema.columns where table_schema = 'public'
         union all select tablename, indexname, indexdef, '', '' from pg_indexes where schemaname = 'public'
         union all select event_object_table, trigger_name, action_statement, event_manipulation, action_timing
           from information_schema.triggers where trigger_schema = 'public'
         order by t, c, d, n`,
      )
    : read.all("select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by type, name")

test('a database of the release before comes up with all that it held, in the form of a new one', async () => {
  await makeOld()
  const db = await open()
  const { read } = db
  const names = await read.all<{ name: string }>('select name from kysely_migration order by name')
  expect(names.map(({ name }) => name)).toEqual(Object.keys(migrations).sort())
  expect(await read.all('select id, seq, content from messages order by seq')).toEqual([
    { id: 'message 1', seq: 1, content: 'sealed 1' },
    { id: 'message 2', seq: 2, content: 'sealed 2' },
    { id: 'message 3', seq: 3, content: 'sealed 3' },
  ])
  expect(
    await read.all('select minute, sum(messages) as n from message_minutes group by minute order by minute'),
  ).toEqual([
    { minute: 1, n: 2 },
    { minute: 2, n: 1 },
  ])
  expect(await read.all('select id, role from users order by id')).toEqual([
    { id: 'amara', role: 'super_admin' },
    { id: 'ben', role: 'user' },
  ])
  expect(await read.get('select sum(users) as users from people_counts')).toEqual({ users: 2 })
  expect(await read.get("select value from settings where key = 'kept'")).toEqual({ value: 'it’s kept' })

  await using fresh = await createTestServer()
  expect(await schemaOf(db)).toEqual(await schemaOf(fresh.core.db))
  await db.close()
})

test('a server starts on it', async () => {
  await makeOld()
  const server = await createTestServer({ dataDir: folder })
  expect((await server.signUp('anna')).user.username).toBe('anna')
  expect(await server.core.db.read.get('select count(*) as n from messages')).toEqual({ n: 3 })
  await server.close()
})
