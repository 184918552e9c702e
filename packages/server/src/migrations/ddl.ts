import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** A statement whose text differs between the two databases. */
interface PerDatabase {
  sqlite: readonly string[]
  postgres: readonly string[]
}

export type Statement = string | PerDatabase

/**
 * Translates a statement of SQLite to PostgreSQL. SQLite's `integer` has 64 bits and its tables are strict;
 * `collate "C"` orders text by bytes on every machine, as SQLite does.
 */
const toPostgres = (statement: string): string =>
  statement
    .replace(/\) strict(, without rowid)?$/, ')')
    .replaceAll(/\binteger\b/g, 'bigint')
    .replaceAll(/(\w) text\b/g, '$1 text collate "C"')

/**
 * Creates a table whose rows are read in the order of their insertion. SQLite numbers such rows itself; PostgreSQL gets
 * an identity column of the same name, assigned at the insert, not at the commit.
 */
export const numbered = (statement: string): PerDatabase => ({
  sqlite: [statement],
  postgres: [toPostgres(statement).replace(/\n\s*\)$/, ',\n    rowid bigint generated always as identity unique\n  )')],
})

interface Trigger {
  name: string
  /** For example "after insert on users". */
  when: string
  /** Statements, each ending with a semicolon. */
  does: string
}

const postgresTrigger = ({ name, when }: Trigger, body: string, end: string): string[] => [
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body} ${end} end $$`,
  `create trigger ${name} ${when} for each row execute function ${name}()`,
]

/** Creates a trigger that runs after each row. */
export const afterEach = (trigger: Trigger): PerDatabase => ({
  sqlite: [`create trigger ${trigger.name} ${trigger.when} begin ${trigger.does} end`],
  postgres: postgresTrigger(trigger, trigger.does, 'return null;'),
})

/** Creates triggers that refuse to change or delete a row of this table. */
export function appendOnly(table: string): PerDatabase[] {
  const refusal = 'the audit log is append-only'
  const refuse = (name: string, when: string): PerDatabase => ({
    sqlite: [`create trigger ${name} ${when} begin select raise(abort, '${refusal}'); end`],
    postgres: postgresTrigger({ name, when, does: '' }, `raise exception '${refusal}';`, ''),
  })
  return [
    refuse(`${table}_keeps_entries`, `before delete on ${table}`),
    refuse(`${table}_keeps_content`, `before update on ${table}`),
    {
      sqlite: [],
      // TRUNCATE fires no delete trigger; SQLite has no TRUNCATE.
      postgres: [
        `create trigger ${table}_stays before truncate on ${table}
          for each statement execute function ${table}_keeps_entries()`,
      ],
    },
  ]
}

/** Executes the statements one after another, in the dialect of this database. */
export async function change(db: Kysely<unknown>, statements: readonly Statement[]): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const textsOf = (statement: Statement): readonly string[] => {
    if (typeof statement !== 'string') return statement[isSqlite ? 'sqlite' : 'postgres']
    return [isSqlite ? statement : toPostgres(statement)]
  }
  for (const statement of statements) for (const text of textsOf(statement)) await sql.raw(text).execute(db)
}
