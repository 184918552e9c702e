import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, types } from 'pg'
import { numberPlaceholders } from '../../../src/core/database/postgres/statements.ts'
import { openSqlite } from '../../../src/core/database/sqlite/driver.ts'
import type { Value } from '../../../src/core/database/types.ts'
import { databaseOf, onPostgres } from './testDatabase.ts'

/** Reads the database of a data folder, whether a server runs on it or not. */

const numbers = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC])

async function withClient<T>(dataDir: string, task: (client: Client) => Promise<T>): Promise<T> {
  const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
    numbers.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser
  const client = new Client({ connectionString: await databaseOf(dataDir), types: { getTypeParser } })
  await client.connect()
  try {
    return await task(client)
  } finally {
    await client.end()
  }
}

/** The rows that an SQL query returns. */
export async function ask<T>(dataDir: string, sql: string, params: readonly Value[] = []): Promise<T[]> {
  if (onPostgres) {
    const text = numberPlaceholders(sql)
    return withClient(dataDir, async (client) => (await client.query(text, [...params])).rows as T[])
  }
  const database = openSqlite(join(dataDir, 'privity.db'))
  try {
    return database.prepare(sql).all(params) as T[]
  } finally {
    database.close()
  }
}

async function everyRow(client: Client): Promise<Buffer> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<object>(`select * from "${name}"`)
    for (const row of rows) texts.push(...Object.values(row).map(String))
  }
  return Buffer.from(texts.join('\n'))
}

/**
 * The content that a thief of the database could read. SQLite: every byte of its files, which covers deleted rows that
 * are still in them. PostgreSQL: every row; its files keep deleted rows until they are overwritten, as
 * docs/threat-model.md states, so no more is promised or tested.
 */
export async function storedBytes(dataDir: string): Promise<Buffer> {
  if (onPostgres) return withClient(dataDir, everyRow)
  const files = ['privity.db', 'privity.db-wal'].map((name) =>
    readFile(join(dataDir, name)).catch(() => Buffer.alloc(0)),
  )
  return Buffer.concat(await Promise.all(files))
}
