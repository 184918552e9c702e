import { execFile } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

const script = new URL('../../../../../scripts/cluster/postgres.mjs', import.meta.url).href
const { findPostgres } = (await import(script)) as { findPostgres(): Promise<string> }
const password = 'of-the-role-of-the-server'

let postgres: PostgresServer
let folder: string
const urlOf = (user: string, database: string) => `postgresql://${user}@127.0.0.1:${postgres.port}/${database}`

async function ask<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

/**
 * Runs postgres.sql as the image does on an empty volume; the role and the database of the test server are moved out of
 * its way.
 */
beforeAll(async () => {
  postgres = await startPostgres({ durable: false })
  folder = await mkdtemp(join(tmpdir(), 'privity-role-'))
  await ask(urlOf('privity', 'template1'), 'create role postgres superuser login')
  await ask(urlOf('postgres', 'template1'), 'drop database privity')
  await ask(urlOf('postgres', 'template1'), 'alter role privity rename to tests')
  await writeFile(join(folder, 'password'), password)
  const file = await readFile(new URL('../../../../../deploy/postgres.sql', import.meta.url), 'utf8')
  await writeFile(join(folder, 'role.sql'), file.replace('/run/secrets/database_password', join(folder, 'password')))
  const given = ['-v', 'ON_ERROR_STOP=1', '--no-psqlrc', '-f', join(folder, 'role.sql'), urlOf('postgres', 'postgres')]
  await promisify(execFile)(join(await findPostgres(), 'psql'), given)
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the role of compose.yaml is no superuser, and owns its database alone', async () => {
  const attributes = await ask(
    urlOf('postgres', 'postgres'),
    `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = 'privity'`,
  )
  expect(Object.values(attributes[0] ?? {})).toEqual([false, false, false, false, false])
  const owned = `select datname from pg_database where datdba = 'privity'::regrole`
  expect(await ask(urlOf('postgres', 'postgres'), owned)).toEqual([{ datname: 'privity' }])
  await expect(ask(urlOf('privity', 'postgres'), 'select 1')).rejects.toThrow('permission denied for database')
})

test('its password is the one of the secret', async () => {
  const query = `select rolpassword from pg_authid where rolname = 'privity'`
  const [row] = await ask<{ rolpassword: string }>(urlOf('postgres', 'postgres'), query)
  const parts = /^SCRAM-SHA-256\$(\d+):(.+)\$(.+):(.+)$/.exec(row?.rolpassword ?? '') ?? []
  const salted = pbkdf2Sync(password, Buffer.from(parts[2] ?? '', 'base64'), Number(parts[1]), 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  expect(createHash('sha256').update(clientKey).digest('base64')).toBe(parts[3])
})

test('a server with that role migrates, serves, and destroys what has expired', async () => {
  const env = { DATABASE_URL: urlOf('privity', 'privity'), MESSAGE_RETENTION: '30s' }
  await using server = await createTestServer({ env })
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  const count = 'select count(*)::int as messages from messages'
  expect(await ask(urlOf('postgres', 'privity'), count)).toEqual([{ messages: 1 }])
  await server.advance(60_000)
  expect(await ask(urlOf('postgres', 'privity'), count)).toEqual([{ messages: 0 }])
})
