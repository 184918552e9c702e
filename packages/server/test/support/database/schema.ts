import { SqliteAdapter } from 'kysely'
import type { Db, Reader } from '../../../src/core/database/types.ts'

/**
 * Reads the schema from the database itself, on SQLite and on PostgreSQL, so that a new table is covered without a
 * change here.
 */

export const isSqlite = ({ kysely }: Reader): boolean => kysely.getExecutor().adapter instanceof SqliteAdapter

export interface Place {
  table: string
  column: string
}

export const everyColumn = (db: Reader): Promise<Place[]> =>
  db.all<Place>(
    isSqlite(db)
      ? `select t.name as "table", c.name as "column" from pragma_table_list t join pragma_table_xinfo(t.name) c
         where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' order by 1, 2`
      : `select table_name as "table", column_name as "column" from information_schema.columns
         where table_schema = 'public' and table_name <> 'migration_lease' order by 1, 2`,
  )

export async function everyTable(db: Reader): Promise<string[]> {
  return [...new Set((await everyColumn(db)).map(({ table }) => table))]
}

/** Tables that reference this one, and their rule on deletion. */
export const referencesTo = (db: Reader, table: string): Promise<{ table: string; rule: string }[]> =>
  db.all(
    isSqlite(db)
      ? `select t.name as "table", f.on_delete as rule from pragma_table_list t join pragma_foreign_key_list(t.name) f
         where t.schema = 'main' and f."table" = ?`
      : `select c.conrelid::regclass::text as "table", r.delete_rule as rule from pg_constraint c
           join information_schema.referential_constraints r on r.constraint_name = c.conname
         where c.contype = 'f' and c.confrelid = cast(? as text)::regclass`,
    [table],
  )

/** SQL condition: this column contains the text (a parameter), alone or within a longer text. */
export const holdsText = ({ column }: Pick<Place, 'column'>): string =>
  `cast("${column}" as text) <> replace(cast("${column}" as text), ?, '')`

interface Refused {
  before?: 'insert' | 'update'
  /** Condition on the row, such as "new.action = 'sent'". */
  when?: string
}

/**
 * Makes inserts or updates of a table fail; resolves with a function that permits them again and takes the current
 * database, which a restart replaces.
 */
export async function refuse(db: Db, table: string, { before = 'insert', when }: Refused = {}) {
  const name = `no_${table}`
  const only = when === undefined ? '' : `when (${when})`
  const run = (on: Db, ...statements: string[]): Promise<void> =>
    on.write(async (tx) => {
      for (const each of statements) await tx.run(each)
    })
  if (isSqlite(db.read)) {
    await run(
      db,
      `create temp trigger ${name} before ${before} on main.${table} ${only} begin select raise(abort, 'no'); end`,
    )
    return (on = db) => run(on, `drop trigger if exists ${name}`)
  }
  await run(
    db,
    `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    `create trigger ${name} before ${before} on ${table} for each row ${only} execute function ${name}()`,
  )
  return (on = db) => run(on, `drop function ${name} cascade`)
}
