import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from '../migrations/list.ts'
import { isFull, toAppError } from './dbErrors.ts'
import { createGroupCommit, type Writer } from './groupCommit.ts'
import type { Schema } from './schema.ts'
import { openSqlite, type Sqlite, type Value } from './sqlite.ts'

export type { Value } from './sqlite.ts'

/** Reading. `get` and `all` prepare each SQL text once: the hot paths; `kysely` for everything else. */
export interface Reader {
  kysely: Kysely<Schema>
  get<T>(sql: string, params?: readonly Value[]): Promise<T | undefined>
  all<T>(sql: string, params?: readonly Value[]): Promise<T[]>
}

/** Reading and writing inside `db.write`. */
export interface Tx extends Reader {
  run(sql: string, params?: readonly Value[]): Promise<{ changes: number }>
  /** Runs once the transaction is durable, before the call is answered; never if it failed. */
  afterCommit(run: () => void): void
}

export interface Db {
  /** Sees committed rows only (a connection of its own). */
  read: Reader
  /**
   * Runs `work` in a transaction and answers when it is durable. Calls that wait at the same moment
   * share one COMMIT, and one that throws undoes only itself. `work` must await nothing but `tx` (the
   * batch waits for it), and may be run again when another call spoilt the batch, so it changes
   * nothing outside `tx`.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Moves the write-ahead log into the database and empties it, so that deleted bytes are gone from both. */
  emptyLog(): Promise<void>
  /** For afterCommit where a secret was replaced or deleted: the next retention job empties the log. */
  emptyLogSoon(): void
  /** Whether emptyLogSoon was called since the log was emptied. */
  holdsDeleted(): boolean
  /** Writes what waits, then closes. */
  close(): Promise<void>
}

function open(path: string): Sqlite {
  const database = openSqlite(path)
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'secure_delete = ON',
    'foreign_keys = ON',
    'wal_autocheckpoint = 16000',
    'cache_size = -32000',
  ]) {
    database.exec(`pragma ${pragma}`)
  }
  return database
}

function createStatements({ prepare, close }: Pick<Sqlite, 'prepare' | 'close'>): Omit<Tx, 'afterCommit'> {
  return {
    kysely: new Kysely<Schema>({ dialect: new SqliteDialect({ database: { prepare, close } }) }),
    get: async <T>(sql: string, params: readonly Value[] = []) => prepare(sql).get(params) as T | undefined,
    all: async <T>(sql: string, params: readonly Value[] = []) => prepare(sql).all(params) as T[],
    run: async (sql: string, params: readonly Value[] = []) => prepare(sql).run(params),
  }
}

function createWriter(database: Sqlite): Writer {
  let written = false
  const prepare = (sql: string) => {
    const statement = database.prepare(sql)
    if (statement.mayWrite) written = true
    return statement
  }
  return {
    statements: createStatements({ ...database, prepare }),
    inTransaction: database.inTransaction,
    hasWritten() {
      const answer = written
      written = false
      return answer
    },
  }
}

async function migrate(kysely: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw toAppError(error)
}

/** A killed process may have left deleted bytes in the log. On a full disk they stay until there is space. */
function emptyLeftLog(database: Sqlite): void {
  try {
    database.exec('pragma wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!isFull(error)) throw error
  }
}

/** Opens (and creates, and migrates) the SQLite database at `path`. `onHookError` hears of a failed afterCommit. */
export async function openDb(path: string, onHookError: (error: unknown) => void): Promise<Db> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const database = open(path)
  const writer = createWriter(database)
  try {
    await migrate(writer.statements.kysely)
    emptyLeftLog(database)
  } catch (error) {
    database.close()
    throw error
  }
  const reader = open(path)
  reader.exec('pragma query_only = ON')
  const { kysely, get, all } = createStatements(reader)
  const commits = createGroupCommit(writer, onHookError)
  let holdsDeleted = false
  return {
    read: { kysely, get, all },
    write: commits.write,
    emptyLog: () =>
      commits.alone(() => {
        database.exec('pragma wal_checkpoint(TRUNCATE)')
        holdsDeleted = false
      }),
    emptyLogSoon: () => void (holdsDeleted = true),
    holdsDeleted: () => holdsDeleted,
    async close() {
      await commits.finish()
      reader.close()
      database.close()
    },
  }
}
