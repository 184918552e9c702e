import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db } from '../../../src/core/database/types.ts'
import { change } from '../../../src/migrations/ddl.ts'
import { migrations, type Migrations } from '../../../src/migrations/list.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let server: PostgresServer
let admin: Client

beforeAll(async () => {
  server = await startPostgres({ durable: false })
  admin = new Client({ connectionString: server.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await server.stop()
})

let made = 0
async function createDatabase(options = "encoding 'UTF8' locale 'C'"): Promise<string> {
  const name = `made${(made += 1)}`
  await admin.query(`create database ${name} ${options} template template0`)
  return named(name)
}
const named = (database: string) => {
  const url = new URL(server.url)
  url.pathname = `/${database}`
  return url.href
}
const open = (url: string, of?: Migrations) =>
  openDb('', { postgres: { url, readers: 1 }, migrations: of, onError: (error) => console.error(error) })

async function on<T>(url: string, task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await task(client)
  } finally {
    await client.end()
  }
}

const doneOn = (db: Db) => db.read.all<{ name: string }>('select name from kysely_migration order by name')
const namesOf = (of: Migrations) =>
  Object.keys(of)
    .sort()
    .map((name) => ({ name }))
const all = namesOf(migrations)

/** A later release with one migration that adds a table and copies rows. */
const later: Migrations = {
  ...migrations,
  '900-planted': {
    up: (db) =>
      change(db, [
        'create table planted (id text primary key not null, amount integer not null default 0) strict',
        'insert into planted (id) select key from settings',
      ]),
  },
}

test('several that start at once migrate once', async () => {
  const url = await createDatabase()
  const opened = await Promise.all(Array.from({ length: 4 }, () => open(url)))
  for (const db of opened) expect(await doneOn(db)).toEqual(all)
  await Promise.all(opened.map((db) => db.close()))
})

test('servers of a later release that start at once migrate once, and keep what is stored', async () => {
  const url = await createDatabase()
  const released = await open(url)
  await released.write((tx) => tx.run("insert into settings (key, value) values ('kept', 'value')"))
  await released.close()
  const opened = await Promise.all(Array.from({ length: 4 }, () => open(url, later)))
  for (const db of opened) {
    expect(await doneOn(db)).toEqual(namesOf(later))
    expect(await db.read.all('select id, amount from planted')).toEqual([{ id: 'kept', amount: 0 }])
    expect(await db.read.all('select value from settings')).toEqual([{ value: 'value' }])
  }
  await Promise.all(opened.map((db) => db.close()))
})

test('a lease whose row type exists while another server creates its table is tried again', async () => {
  const url = await createDatabase()
  const db = await on(url, async (other) => {
    // PostgreSQL reports the same error for a table whose row type is visible before the table itself.
    await other.query('create domain migration_lease as bigint')
    const opening = open(url)
    const tried = async () => {
      const { rows } = await other.query(
        "select 1 from pg_stat_activity where state = 'idle' and query like 'create table if not exists migration_lease%' and datname = current_database()",
      )
      expect(rows).toHaveLength(1)
    }
    await Promise.race([opening, vi.waitFor(tried, { timeout: 10_000, interval: 20 })])
    await other.query('drop domain migration_lease')
    return opening
  })
  expect(await doneOn(db)).toEqual(all)
  await db.close()
})

test('whoever holds the lease is waited for, and no longer than it says that it lives', async () => {
  const url = await createDatabase()
  const leaseFor = (milliseconds: number) =>
    on(url, async (client) => {
      await client.query(
        'create table migration_lease (one bigint primary key check (one = 1), holder text not null, expires_at bigint not null)',
      )
      await client.query(
        `insert into migration_lease values (1, 'killed', (extract(epoch from clock_timestamp()) * 1000)::bigint + ${milliseconds})`,
      )
    })
  await leaseFor(1000)
  const begun = performance.now()
  const db = await open(url)
  expect(performance.now() - begun).toBeGreaterThan(900)
  expect(await doneOn(db)).toEqual(all)
  await db.close()
})

test('one that is cut off in the middle leaves nothing half done, and the next does it all', async () => {
  const url = await createDatabase()
  const database = new URL(url).pathname.slice(1)
  // An uncommitted table of the same name, on which the last migration waits.
  const db = await on(url, async (other) => {
    await other.query('begin')
    await other.query('create table planted ()')
    const cut = open(url, later).catch((error: unknown) => error)
    const waiting = 'from pg_stat_activity where datname = $1 and wait_event_type = $2'
    while ((await admin.query(`select 1 ${waiting}`, [database, 'Lock'])).rowCount === 0);
    await admin.query(`select pg_terminate_backend(pid) ${waiting}`, [database, 'Lock'])
    expect(await cut).toBeInstanceOf(Error)
    const tables = await other.query("select tablename from pg_tables where tablename in ('users', 'planted')")
    expect(tables.rows).toEqual([{ tablename: 'planted' }])
    await other.query('rollback')
    return open(url, later)
  })
  expect(await doneOn(db)).toEqual(namesOf(later))
  await db.close()
})

test('a store written by a newer version is refused', async () => {
  const url = await createDatabase()
  await (await open(url)).close()
  await on(url, (client) => client.query("insert into kysely_migration (name, timestamp) values ('999-future', '')"))
  await expect(open(url)).rejects.toThrow(/999-future/)
})

test('a database that orders text by a language, or does not hold UTF-8, is refused in words', async () => {
  const icu = await createDatabase("encoding 'UTF8' locale_provider icu icu_locale 'en' locale 'C'")
  await expect(open(icu)).rejects.toThrow(/must hold UTF-8 and order text by its bytes.*create database/)
  const ascii = await createDatabase("encoding 'SQL_ASCII' locale 'C'")
  await expect(open(ascii)).rejects.toThrow(/must hold UTF-8/)
  const tables = await on(icu, (client) => client.query("select 1 from pg_tables where schemaname = 'public'"))
  expect(tables.rowCount).toBe(0)
})

test('a database that is not there is said in words, without the password', async () => {
  const url = new URL(named('nowhere'))
  url.password = 'hunter2'
  const refused = await open(url.href).catch((error: unknown) => error)
  expect(String(refused)).toMatch(/DatabaseUnusable.*\/nowhere.*no such database/)
  expect(String(refused)).not.toContain('hunter2')
})

test('nothing takes an advisory lock or listens: not every engine has them', async () => {
  const source = join(import.meta.dirname, '../../../src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(200)
  const forbidden = /pg_(?:try_)?advisory|\b(?:un)?listen\s+[a-z"]+`|\bpg_notify\b|\bskip locked\b|\bfor update\b/i
  for (const path of files) expect(readFileSync(join(source, path), 'utf8'), path).not.toMatch(forbidden)

  const url = await createDatabase()
  let isOpen = false
  const opening = open(url).then(async (db) => {
    await db.write((tx) => tx.run("insert into settings (key, value) values ('a', '')"))
    isOpen = true
    return db
  })
  let looked = 0
  while (!isOpen) {
    const { rows } = await admin.query("select 1 from pg_locks where locktype = 'advisory'")
    expect(rows).toEqual([])
    looked += 1
  }
  expect(looked).toBeGreaterThan(3)
  const { rows } = await admin.query("select query from pg_stat_activity where query ilike 'listen%'")
  expect(rows).toEqual([])
  await (await opening).close()
})
