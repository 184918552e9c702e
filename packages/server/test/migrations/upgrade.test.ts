import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../src/core/database/database.ts'
import type { Db } from '../../src/core/database/types.ts'
import { afterEach as afterEachRow, change } from '../../src/migrations/ddl.ts'
import { migrations, type Migrations } from '../../src/migrations/list.ts'
import { createTestServer } from '../support/server/testServer.ts'
import { dropDatabaseOf, emptyDatabaseOf, onPostgres } from '../support/database/testDatabase.ts'

let folder: string
const path = () => join(folder, 'privity.db')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-upgrade-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await dropDatabaseOf(folder)
})

/** A later release: one migration that adds, and one that replaces a table and computes its rows. */
const next: Migrations = {
  ...migrations,
  '900-adds': {
    up: (db) =>
      change(db, [
        'alter table messages add column planted integer not null default 7',
        'create table planted_counts (sender_id text primary key not null, messages integer not null) strict',
        'insert into planted_counts (sender_id, messages) select sender_id, count(*) from messages group by sender_id',
        afterEachRow({
          name: 'planted_counted',
          when: 'after insert on messages',
          does: `insert into planted_counts (sender_id, messages) values (new.sender_id, 1)
            on conflict (sender_id) do update set messages = planted_counts.messages + 1;`,
        }),
      ]),
  },
  '901-replaces': {
    alone: true,
    async up(db) {
      await change(db, [
        'alter table settings rename to old_settings',
        'create table settings (key text primary key not null, value text not null, length integer not null) strict',
      ])
      const { rows } = await sql<{ key: string; value: string }>`select key, value from old_settings`.execute(db)
      for (const { key, value } of rows)
        await sql`insert into settings (key, value, length) values (${key}, ${value}, ${value.length})`.execute(db)
      await change(db, ['drop table old_settings', 'alter table settings drop column length'])
    },
  },
}

const person = (id: string, role: string) => `insert into users
  (id, username, email, first_name, last_name, role, organization_id, connection_code, password_hash, created_at)
  values ('${id}', '${id}', '${id}@example.com', '${id}', 'B', '${role}', 'o', 'code of ${id}', 'none', 60000)`

const message = (seq: number, at: number) => `insert into messages
  (id, connection_id, seq, sender_id, envelope_id, message_type, created_at, expires_at, content)
  values ('message ${seq}', 'c', ${seq}, 'amara', 'e', 'text', ${at}, 99999999999999, 'sealed ${seq}')`

const left = [
  "insert into organizations (id, name, type, created_at) values ('o', 'Chambers', 'Legal', 60000)",
  person('amara', 'super_admin'),
  person('ben', 'user'),
  "insert into connections (id, user_id_1, user_id_2, connected_at) values ('c', 'amara', 'ben', 60000)",
  message(1, 60_000),
  message(2, 60_001),
  message(3, 120_000),
  "insert into settings (key, value) values ('kept', 'it’s kept')",
]

const open = async (of: Migrations = migrations): Promise<Db> =>
  openDb(path(), {
    ...(onPostgres && { postgres: { url: await emptyDatabaseOf(folder), readers: 1 } }),
    migrations: of,
    onError(error) {
      throw error
    },
  })

/** Creates a database of this release, with rows. */
async function makeReleased(): Promise<void> {
  const db = await open()
  await db.write(async (tx) => {
    for (const statement of left) await tx.run(statement)
  })
  await db.close()
}

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

const namesOn = async ({ read }: Pick<Db, 'read'>) =>
  (await read.all<{ name: string }>('select name from kysely_migration order by name')).map(({ name }) => name)

test('a later release keeps the rows of the one before, in the schema of a new database', async () => {
  await makeReleased()
  const db = await open(next)
  const { read } = db
  expect(await namesOn(db)).toEqual(Object.keys(next).sort())
  expect(await read.all('select id, seq, content, planted from messages order by seq')).toEqual([
    { id: 'message 1', seq: 1, content: 'sealed 1', planted: 7 },
    { id: 'message 2', seq: 2, content: 'sealed 2', planted: 7 },
    { id: 'message 3', seq: 3, content: 'sealed 3', planted: 7 },
  ])
  expect(await read.all('select id, role from users order by id')).toEqual([
    { id: 'amara', role: 'super_admin' },
    { id: 'ben', role: 'user' },
  ])
  expect(await read.get('select sum(users) as users from people_counts')).toEqual({ users: 2 })
  expect(await read.get("select value from settings where key = 'kept'")).toEqual({ value: 'it’s kept' })
  await db.write((tx) => tx.run(message(4, 120_001)))
  expect(await read.all('select * from planted_counts')).toEqual([{ sender_id: 'amara', messages: 4 }])

  await using fresh = await createTestServer({
    dataDir: await mkdtemp(join(folder, 'fresh-')),
    options: { migrations: next },
  })
  expect(await namesOn(fresh.core.db)).toEqual(Object.keys(next).sort())
  expect(await schemaOf(db)).toEqual(await schemaOf(fresh.core.db))
  await db.close()
})

test('a server of a later release starts on a database of the one before', async () => {
  await makeReleased()
  const server = await createTestServer({ dataDir: folder, options: { migrations: next } })
  expect((await server.signUp('anna')).user.username).toBe('anna')
  expect(await server.core.db.read.get('select count(*) as n from messages')).toEqual({ n: 3 })
  await server.close()
})

test('a migration that fails changes nothing, and the next start runs it whole', async () => {
  await makeReleased()
  const before = await open()
  const schema = await schemaOf(before)
  await before.close()
  const failing: Migrations = {
    ...next,
    '902-fails': {
      up: (db) => change(db, ['create table half_done (id text primary key not null) strict', 'not SQL']),
    },
  }
  await expect(open(failing)).rejects.toThrow()
  const unchanged = await open()
  expect(await schemaOf(unchanged)).toEqual(schema)
  expect(await namesOn(unchanged)).toEqual(Object.keys(migrations).sort())
  await unchanged.close()

  const repaired: Migrations = {
    ...next,
    '902-fails': { up: (db) => change(db, ['create table half_done (id text primary key not null) strict']) },
  }
  const db = await open(repaired)
  expect(await namesOn(db)).toEqual(Object.keys(repaired).sort())
  expect(await db.read.all('select * from half_done')).toEqual([])
  await db.close()
})

test('a start that fails in the first migration leaves an empty database for the next start', async () => {
  const failing: Migrations = {
    '001-initial': {
      async up(db) {
        await migrations['001-initial']?.up(db)
        throw new Error('cut off')
      },
    },
  }
  await expect(open(failing)).rejects.toThrow('cut off')
  const db = await open()
  expect(await namesOn(db)).toEqual(Object.keys(migrations).sort())
  await db.close()
})
