import { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import { openDb } from '../core/database/database.ts'
import { errorText } from '../core/log.ts'
import { connect, end, sessionTimeouts } from '../core/database/postgres/connect.ts'
import { numberedTables, quoteNames, type Table, tablesOf } from './postgresBackup.ts'
import { Refusal } from './operator.ts'

const batchSize = 100

/** A database is filled if one of these has rows: a server's first start writes to some of them. */
const firstFilled = ['users', 'organizations', 'audit_log'] as const

async function isFilled(client: Client): Promise<boolean> {
  const counts = await Promise.all(firstFilled.map((table) => client.query(`select 1 from "${table}" limit 1`)))
  return counts.some(({ rowCount }) => rowCount !== 0)
}

async function assertEmpty(client: Client): Promise<void> {
  if (await isFilled(client))
    throw new Refusal(
      'The database of DATABASE_URL is not empty: a backup is restored into an empty one only. Make a new one, and ' +
        'start no server on it before.',
    )
}

/** Migrates the database of DATABASE_URL, and throws if it holds any data. */
export async function prepareEmpty(url: string): Promise<void> {
  const db = await openDb('', { postgres: { url, readers: 1 }, onError: (error) => console.error(errorText(error)) })
  await db.close()
  const client = await connect(url, sessionTimeouts.long)
  try {
    await assertEmpty(client)
  } finally {
    end(client)
  }
}

interface Constraint {
  table: string
  name: string
  definition: string
}

/** Drops foreign keys while rows are copied table by table; on restoring them, PostgreSQL checks every row. */
async function dropForeignKeys(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<Constraint>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint "${name}"`)
  return async () => {
    for (const { table, name, definition } of rows)
      await client.query(`alter table ${table} add constraint "${name}" ${definition}`)
  }
}

const placeholders = (columns: number, rows: number) =>
  Array.from(
    { length: rows },
    (_row, row) =>
      `(${Array.from({ length: columns }, (_column, column) => `$${row * columns + column + 1}`).join(', ')})`,
  ).join(', ')

async function copyTable(client: Client, database: DatabaseSync, { name, columns }: Table): Promise<void> {
  const select = database.prepare(`select ${quoteNames(columns)} from "${name}"`)
  select.setReturnArrays(true)
  let batch: unknown[][] = []
  const write = async () => {
    if (batch.length === 0) return
    const values = batch.flat().map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))
    await client.query(
      `insert into "${name}" (${quoteNames(columns)}) overriding system value
       values ${placeholders(columns.length, batch.length)}`,
      values,
    )
    batch = []
  }
  for (const row of select.iterate() as unknown as Iterable<unknown[]>) {
    batch.push(row)
    if (batch.length === batchSize) await write()
  }
  await write()
}

const countIn = (database: DatabaseSync, table: string) =>
  (database.prepare(`select count(*) as rows from "${table}"`).get() as { rows: number }).rows

async function load(client: Client, database: DatabaseSync): Promise<void> {
  const tables = tablesOf(database)
  const numbered = await numberedTables(client)
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`)
  await assertEmpty(client)
  const restoreKeys = await dropForeignKeys(client)
  for (const table of tables) {
    await client.query(`delete from "${table.name}"`)
    const isNumbered = numbered.has(table.name)
    await copyTable(client, database, { ...table, columns: isNumbered ? ['rowid', ...table.columns] : table.columns })
    if (isNumbered)
      await client.query(
        `select setval(pg_get_serial_sequence('"${table.name}"', 'rowid'), coalesce(max(rowid), 0) + 1, false) from "${table.name}"`,
      )
    const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from "${table.name}"`)
    const expected = countIn(database, table.name)
    if (rows[0]?.rows !== expected) throw new Refusal(`Of ${expected} rows of ${table.name}, ${rows[0]?.rows} arrived.`)
  }
  await restoreKeys()
  for (const { name } of tables) await client.query(`alter table "${name}" enable trigger user`)
}

/** Commits. If the response is lost, the database is checked for the rows: if it has some, it has all. */
async function commit(client: Client, url: string): Promise<void> {
  try {
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Refusal('The database of DATABASE_URL did not keep what was restored.')
  } catch (error) {
    const secondClient = await connect(url, sessionTimeouts.long)
    try {
      if (!(await isFilled(secondClient))) throw error
    } finally {
      end(secondClient)
    }
  }
}

/** Copies all rows of the SQLite database at `path` into the empty PostgreSQL database at `url`, or none of them. */
export async function copyToPostgres(path: string, url: string): Promise<void> {
  const database = new DatabaseSync(path, { readOnly: true })
  const client = await connect(url, sessionTimeouts.long)
  try {
    await client.query('begin isolation level serializable')
    await load(client, database)
    await commit(client, url)
  } finally {
    end(client)
    database.close()
  }
}
