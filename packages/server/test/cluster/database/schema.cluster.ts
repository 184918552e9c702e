import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db, Tx } from '../../../src/core/database/types.ts'
import { tablesOfPostgres, tablesOfSqlite } from '../../support/database/tables.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let server: PostgresServer
let folder: string
let sqlite: Db
let postgres: Db

const onError = (error: unknown) => {
  throw error
}

beforeAll(async () => {
  server = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'privity-schema-'))
  sqlite = await openDb(join(folder, 'privity.db'), { onError })
  postgres = await openDb('', { postgres: { url: server.url, readers: 1 }, onError })
})
afterAll(async () => {
  await Promise.all([sqlite.close(), postgres.close()])
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Tables with an explicit rowid on PostgreSQL; on SQLite, every table has one. */
const numbered = ['passkeys', 'security_events']
const isNumber = (line: string) =>
  numbered.some((table) => line.includes(`${table}.rowid `) || line === `unique ${table} (rowid)`)
/** Triggers against TRUNCATE, a statement that SQLite lacks. */
const ofTruncate = ['audit_heads: audit_heads_stays', 'audit_log: audit_log_stays']

test('both databases have the same tables, columns, keys, indexes, conditions and triggers', async () => {
  const [one, other] = [await tablesOfSqlite(sqlite.read), await tablesOfPostgres(postgres.read)]
  expect(one.columns.length).toBeGreaterThan(250)
  expect(other.columns.filter(isNumber)).toEqual(numbered.map((table) => `${table}.rowid integer`))
  expect(other.columns.filter((line) => !isNumber(line))).toEqual(one.columns)
  expect(other.indexes.filter(isNumber)).toEqual(numbered.map((table) => `unique ${table} (rowid)`))
  expect(other.indexes.filter((line) => !isNumber(line))).toEqual(one.indexes)
  expect(other.references).toEqual(one.references)
  expect(other.checks).toEqual(one.checks)
  expect(other.triggers.filter((line) => ofTruncate.includes(line))).toEqual(ofTruncate)
  expect(other.triggers.filter((line) => !ofTruncate.includes(line))).toEqual(one.triggers)
})

const both = async <T>(work: (tx: Tx) => Promise<T>): Promise<[T, T]> => [
  await sqlite.write(work),
  await postgres.write(work),
]

/** Runs `work` on both databases, expects equal results, and returns them. */
async function alike<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const [one, other] = await both(work)
  expect(other).toEqual(one)
  return one
}

const addUser = (tx: Tx, id: string, role: string) =>
  tx.run(
    `insert into users (id, username, email, first_name, last_name, role, organization_id, connection_code,
       password_hash, created_at) values (?, ?, ?, 'A', 'B', ?, 'o', ?, 'none', 1)`,
    [id, id, `${id}@example.com`, role, id],
  )

const counters = async (tx: Tx) => ({
  users: await tx.all('select * from user_counts order by organization_id, role, is_active'),
  people: await tx.all('select * from people_counts order by role, is_active, suspended'),
  sessions: await tx.get('select * from session_counts'),
  connections: await tx.all('select * from connection_minutes order by minute'),
})

test('what the database counts by itself is the same after every kind of change', async () => {
  const steps: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => tx.run("insert into organizations (id, name, type, created_at) values ('o', 'O', 'Law', 1)"),
    (tx) => addUser(tx, 'anna', 'user'),
    (tx) => addUser(tx, 'ben', 'org_admin'),
    (tx) => tx.run("update users set is_active = 0 where id = 'anna'"),
    (tx) => tx.run("update users set suspended = 1, role = 'super_admin' where id = 'ben'"),
    (tx) => tx.run("update users set first_name = 'C'"),
    (tx) =>
      tx.run(`insert into sessions (id, user_id, token_hash, key_share, created_at, last_used_at, address, device)
        select id, id, id, '', 1, 1, '', '' from users`),
    (tx) =>
      tx.run("insert into connections (id, user_id_1, user_id_2, connected_at) values ('c', 'anna', 'ben', 119999)"),
    (tx) => tx.run("delete from connections where id = 'c'"),
    (tx) =>
      tx.run("insert into connections (id, user_id_1, user_id_2, connected_at) values ('d', 'anna', 'ben', 60000)"),
    (tx) => tx.run("delete from users where id = 'ben'"),
    (tx) => tx.run('delete from users'),
  ]
  const seen = new Set<string>()
  for (const step of steps) {
    const [one, other] = await both(async (tx) => {
      await step(tx)
      return counters(tx)
    })
    expect(other, String(step)).toEqual(one)
    seen.add(JSON.stringify(one))
  }
  // Two steps, the change of a name and the end of a connection, change no counter.
  expect(seen.size).toBe(steps.length - 2)
  expect(await alike(counters)).toMatchObject({
    sessions: { sessions: 0 },
    connections: [{ minute: 1, connections: 2 }],
  })
})

test('entries and heads of the audit log can be added, and neither changed nor deleted', async () => {
  await both(async (tx) => {
    await tx.run(
      "insert into audit_log (seq, created_at, action, details, nonce, hash) values (1, 1, 'a', '{}', '', '')",
    )
    await tx.run("insert into audit_heads (n, seq, hash, signed_at, signature) values (1, 1, '', 1, '')")
  })
  for (const table of ['audit_log', 'audit_heads'])
    for (const db of [sqlite, postgres])
      for (const change of [
        `update ${table} set hash = 'x'`,
        `delete from ${table}`,
        `delete from ${table} where seq = 1`,
      ])
        await expect(
          db.write((tx) => tx.run(change)),
          change,
        ).rejects.toThrow('the audit log is append-only')
  await expect(postgres.write((tx) => tx.run('truncate audit_log'))).rejects.toThrow('append-only')
  await alike((tx) => tx.all('select seq, hash from audit_log'))
})

test('text is in the order of its bytes, and numbers of 53 bits are kept', async () => {
  const words = ['', 'B', 'a', 'a b', 'aa', 'b', 'é', '中', '😀', '￿']
  await both(async (tx) => {
    for (const [at, word] of words.entries())
      await tx.run('insert into retired_users (id, retired_at) values (?, ?)', [word, Number.MAX_SAFE_INTEGER - at])
  })
  const rows = await alike((tx) => tx.all('select id, retired_at from retired_users order by id'))
  expect(rows).toHaveLength(words.length)
  await alike((tx) => tx.all("select id from retired_users where id >= 'a' and id < 'b' order by id desc"))
})
