import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, types } from 'pg'
import { numberPlaceholders } from '../../../src/core/database/postgres/statements.ts'
import { openSqlite } from '../../../src/core/database/sqlite/driver.ts'
import type { Value } from '../../../src/core/database/types.ts'
import { databaseOf, onPostgres } from './testDatabase.ts'

/** Looks into the database over a data folder, whether a server runs on it or not. */

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

/** The rows that a question of SQL is answered with. */
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
 * What whoever has the database reads in it. SQLite: every byte of its files, and so what was deleted and is still in
 * them. PostgreSQL: every row there is; its files keep deleted rows until others are written over them, which
 * docs/threat-model.md says, so that nothing more is claimed or tested.
 */
export async function storedBytes(dataDir: string): Promise<Buffer> {
  if (onPostgres) return withClient(dataDir, everyRow)
  const files = ['privity.db', 'privity.db-wal'].map((name) =>
    readFile(join(dataDir, name)).catch(() => Buffer.alloc(0)),
  )
  return Buffer.concat(await Promise.all(files))
}
