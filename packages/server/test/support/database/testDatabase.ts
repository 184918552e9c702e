import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { openDb } from '../../../src/core/database/database.ts'
import { type Fresh, lookAt, makeFresh } from './databaseReset.ts'

/** URL of a PostgreSQL server for the tests, as a user who may create databases; without it, they run on SQLite. */
const server = process.env['TEST_DATABASE_URL']

export const onPostgres = server !== undefined

const named = (database: string): string => {
  const url = new URL(server as string)
  url.pathname = `/${database}`
  return url.href
}

async function tell(sql: string, database?: string): Promise<void> {
  const client = new Client({ connectionString: database === undefined ? server : named(database) })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const create = (database: string, template: string) =>
  tell(`create database "${database}" template "${template}" encoding 'UTF8' locale 'C'`)
const drop = (database: string) => tell(`drop database if exists "${database}" with (force)`)

const has = (error: unknown, ...codes: string[]) => codes.includes(String((error as { code?: unknown }).code))

/** Creates the template database of these migrations; the first process to complete one gives it the name. */
async function makeTemplate(): Promise<string> {
  const folder = join(import.meta.dirname, '../../../src/migrations')
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(folder, file)))
  const name = `privity_template_${hash.digest('hex').slice(0, 16)}`
  const client = new Client({ connectionString: server })
  await client.connect()
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  await client.end()
  if (rowCount === 1) return name
  const making = `privity_making_${randomUUID()}`
  await create(making, 'template0')
  const db = await openDb('', {
    postgres: { url: named(making), readers: 1 },
    onError: (error) => console.error(error),
  })
  await db.close()
  await tell(`alter database "${making}" rename to "${name}"`).catch(async (error: unknown) => {
    await drop(making)
    // Another process has named its template first.
    if (!has(error, '42P04', '23505')) throw error
  })
  return name
}

let template: Promise<string> | undefined
const databases = new Map<string, string>()

/** Databases of finished tests, reset for reuse. */
const free: string[] = []
let fresh: Promise<Fresh> | undefined

async function createFrom(source: string): Promise<string> {
  const database = `privity_test_${randomUUID()}`
  await create(database, source)
  return database
}

async function take(): Promise<string> {
  template ??= makeTemplate()
  const database = free.pop() ?? (await createFrom(await template))
  await (fresh ??= lookAt(named(database)))
  return database
}

async function remember(dataDir: string, make: () => Promise<string>): Promise<string> {
  const database = databases.get(dataDir) ?? (await make())
  databases.set(dataDir, database)
  return named(database)
}

/** The database of a data folder: the same one for the same folder, else a fresh, migrated one. */
export const databaseOf = (dataDir: string): Promise<string> => remember(dataDir, take)

/** Likewise, without migrations. */
export const emptyDatabaseOf = (dataDir: string): Promise<string> => remember(dataDir, () => createFrom('template0'))

export async function dropDatabaseOf(dataDir: string): Promise<void> {
  const database = databases.get(dataDir)
  if (database === undefined) return
  databases.delete(dataDir)
  if (fresh !== undefined && (await makeFresh(named(database), await fresh))) free.push(database)
  else await drop(database)
}

/** Additional environment of a server over this data folder on PostgreSQL; empty on SQLite. */
export const databaseEnv = async (dataDir: string): Promise<Record<string, string>> =>
  onPostgres ? { DATABASE_URL: await databaseOf(dataDir), DATABASE_READERS: '3' } : {}
