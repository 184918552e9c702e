import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Client } from 'pg'
import { connect, end, sessionTimeouts } from '../core/database/postgres/connect.ts'
import { openDb } from '../core/database/database.ts'
import { errorText } from '../core/log.ts'

/** A table of the schema, which is the same in both databases. */
export interface Table {
  name: string
  columns: readonly string[]
}

/** Returns every table of a SQLite database except those of the migrator. */
export function tablesOf(database: DatabaseSync): Table[] {
  const names = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
    )
    .all() as { name: string }[]
  return names
    .filter(({ name }) => !name.startsWith('kysely_'))
    .map(({ name }) => {
      const columns = database.prepare('select name from pragma_table_info(?) order by cid').all(name) as {
        name: string
      }[]
      return { name, columns: columns.map((column) => column.name) }
    })
}

export const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

const batchSize = 500

type Row = Record<string, SQLInputValue>

/** Returns the tables with an identity column on PostgreSQL, which numbers rows in the order of their insertion. */
export async function numberedTables(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ table_name: string }>(
    "select table_name from information_schema.columns where column_name = 'rowid' and table_schema = current_schema()",
  )
  return new Set(rows.map(({ table_name: name }) => name))
}

async function copyTable(client: Client, database: DatabaseSync, table: Table): Promise<void> {
  const names = quoteNames(table.columns)
  const insert = database.prepare(
    `insert into "${table.name}" (${names}) values (${table.columns.map(() => '?').join(', ')})`,
  )
  await client.query(`declare copied no scroll cursor for select ${names} from "${table.name}"`)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${batchSize} from copied`)
    for (const row of rows) insert.run(...table.columns.map((column) => row[column] as SQLInputValue))
    if (rows.length < batchSize) break
  }
  await client.query('close copied')
}

/** Drops the triggers during the copy, because the copied rows already contain their effects. */
function withoutTriggers(database: DatabaseSync): () => void {
  const triggers = database.prepare("select name, sql from sqlite_master where type = 'trigger'").all() as {
    name: string
    sql: string
  }[]
  for (const { name } of triggers) database.exec(`drop trigger "${name}"`)
  return () => triggers.forEach(({ sql }) => database.exec(sql))
}

/**
 * Copies the PostgreSQL database at `url`, as it is at one moment despite concurrent writes, into a new SQLite database
 * at `path`: both have the same schema. The database at `url` must be of this version.
 */
export async function copyFromPostgres(url: string, path: string): Promise<void> {
  const empty = await openDb(path, { onError: (error) => console.error(errorText(error)) })
  await empty.close()
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const client = await connect(url, sessionTimeouts.long)
  try {
    database.exec('begin')
    const restoreTriggers = withoutTriggers(database)
    await client.query('begin isolation level repeatable read read only')
    const numbered = await numberedTables(client)
    for (const table of tablesOf(database)) {
      database.exec(`delete from "${table.name}"`)
      const columns = numbered.has(table.name) ? ['rowid', ...table.columns] : table.columns
      await copyTable(client, database, { ...table, columns })
    }
    await client.query('commit')
    restoreTriggers()
    database.exec('commit')
  } finally {
    end(client)
    database.close()
  }
}
