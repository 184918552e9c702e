import type { DatabaseSync } from 'node:sqlite'

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

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
