import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** A statement that needs other words on each database. */
interface Worded {
  sqlite: readonly string[]
  postgres: readonly string[]
}

export type Statement = string | Worded

/**
 * What SQLite calls `integer` holds 64 bits, its tables are strict, and text is ordered by bytes whatever the language
 * of the database's machine is: said in PostgreSQL's words.
 */
const toPostgres = (statement: string): string =>
  statement
    .replace(/\) strict(, without rowid)?$/, ')')
    .replaceAll(/\binteger\b/g, 'bigint')
    .replaceAll(/(\w) text\b/g, '$1 text collate "C"')

/**
 * A table whose rows have to be read in the order in which they were stored. SQLite numbers every row of such a table;
 * on PostgreSQL it gets a column of the same name, given out in the order in which rows are made, not committed.
 */
export const numbered = (statement: string): Worded => ({
  sqlite: [statement],
  postgres: [toPostgres(statement).replace(/\n\s*\)$/, ',\n    rowid bigint generated always as identity unique\n  )')],
})

interface Trigger {
  name: string
  /** As in "after insert on users". */
  when: string
  /** Statements, each with its semicolon. */
  does: string
}

const trigger = ({ name, when }: Trigger, body: string, answer: string): string[] => [
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body} ${answer} end $$`,
  `create trigger ${name} ${when} for each row execute function ${name}()`,
]

/** Runs after each row. */
export const afterEach = (given: Trigger): Worded => ({
  sqlite: [`create trigger ${given.name} ${given.when} begin ${given.does} end`],
  postgres: trigger(given, given.does, 'return null;'),
})

/** Lets no row of a table be changed or deleted. */
export function appendOnly(table: string): Worded[] {
  const refusal = 'the audit log is append-only'
  const refuse = (name: string, when: string): Worded => ({
    sqlite: [`create trigger ${name} ${when} begin select raise(abort, '${refusal}'); end`],
    postgres: trigger({ name, when, does: '' }, `raise exception '${refusal}';`, ''),
  })
  return [
    refuse(`${table}_keeps_entries`, `before delete on ${table}`),
    refuse(`${table}_keeps_content`, `before update on ${table}`),
    {
      sqlite: [],
      // Which would empty it without a word to the trigger of deleting; SQLite has no such way.
      postgres: [
        `create trigger ${table}_stays before truncate on ${table}
          for each statement execute function ${table}_keeps_entries()`,
      ],
    },
  ]
}

export const isSqlite = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof SqliteAdapter

/** One after the other, in the words of the database that it is. */
export async function change(db: Kysely<unknown>, statements: readonly Statement[]): Promise<void> {
  const onSqlite = isSqlite(db)
  const wordsOf = (statement: Statement): readonly string[] => {
    if (typeof statement !== 'string') return statement[onSqlite ? 'sqlite' : 'postgres']
    return [onSqlite ? statement : toPostgres(statement)]
  }
  for (const statement of statements) for (const words of wordsOf(statement)) await sql.raw(words).execute(db)
}
