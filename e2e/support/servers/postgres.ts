import { createHash } from 'node:crypto'
import { Client } from 'pg'

/** URL of a PostgreSQL server, as a user who may create databases; without it, the journeys use SQLite. */
const server = process.env['JOURNEY_DATABASE_URL']

export const onPostgres = server !== undefined

/** Each data folder has a database of its own. */
const nameOf = (dataDir: string) => `journey_${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}`

function addressOf(dataDir: string): string {
  const url = new URL(server ?? '')
  url.pathname = `/${nameOf(dataDir)}`
  return url.href
}

export async function query<Row>(sql: string, values: unknown[] = [], dataDir?: string): Promise<Row[]> {
  const client = new Client({ connectionString: dataDir === undefined ? server : addressOf(dataDir) })
  await client.connect()
  try {
    return (await client.query(sql, values)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Creates the database of `dataDir`: empty, or as a copy of the one of `from`, which must not be in use meanwhile. */
export async function createDatabase(dataDir: string, from?: string): Promise<void> {
  const template = from === undefined ? 'template0' : nameOf(from)
  await query(`create database "${nameOf(dataDir)}" template "${template}" encoding 'UTF8' locale 'C'`)
}

export async function dropDatabase(dataDir: string): Promise<void> {
  await query(`drop database if exists "${nameOf(dataDir)}" with (force)`)
}

/** Additional environment of a server over this folder on PostgreSQL; empty on SQLite. */
export const databaseEnv = (dataDir: string): Record<string, string> =>
  onPostgres ? { DATABASE_URL: addressOf(dataDir), DATABASE_READERS: '2' } : {}
