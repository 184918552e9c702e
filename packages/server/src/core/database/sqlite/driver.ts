import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Value } from '../types.ts'

/** A prepared statement; `reader` is whether it returns rows. Also the interface that Kysely's SQLite dialect needs. */
export interface Statement {
  readonly reader: boolean
  get(params: readonly unknown[]): unknown
  all(params: readonly unknown[]): unknown[]
  /** Rows as arrays of values, the cheapest form of many rows. */
  values(params: readonly unknown[]): unknown[][]
  run(params: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
  iterate(params: readonly unknown[]): IterableIterator<unknown>
}

export interface Sqlite {
  /** Returns the same statement for the same text. */
  prepare(sql: string): Statement
  exec(sql: string): void
  inTransaction(): boolean
  /** Grows with every change: by the rows changed, also by triggers and cascades, or by 1 for any other change. */
  changes(): number
  close(): void
}

type Row = Record<string, unknown>

/**
 * Generates code that makes rows with these columns from arrays of values: V8 runs it in half the time that SQLite's
 * binding takes for objects with named properties.
 */
function createRowMaker(columns: readonly string[]): (values: readonly unknown[]) => Row {
  const properties = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  // oxlint-disable-next-line typescript/no-implied-eval -- made of the column names of our own statements only
  return new Function('values', `return { ${properties.join(', ')} }`) as (values: readonly unknown[]) => Row
}

/** Statements whose changes SQLite counts; others (a schema, a pragma) count as one change. */
const countedStatement = /^\s*(select|begin|commit|rollback|insert|update|delete|replace|with)\b/i

/** `timeout` is how long (ms) to wait for another connection's lock. */
export function openSqlite(path: string, { timeout = 5000 } = {}): Sqlite {
  const database = new DatabaseSync(path, { timeout })
  const prepared = new Map<string, Statement>()
  let uncountedChanges = 0
  /** Prepared on demand: preparing reads the schema, which fails while another process holds the lock. */
  let totalChanges: StatementSync | undefined
  const countChanges = () => {
    totalChanges ??= database.prepare('select total_changes() as n')
    return (totalChanges.get() as { n: number }).n
  }

  function createStatement(sql: string): Statement {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    const toRow = createRowMaker(columns)
    return {
      reader: columns.length > 0,
      get(params) {
        const values = statement.get(...(params as Value[])) as unknown[] | undefined
        return values === undefined ? undefined : toRow(values)
      },
      all: (params) => (statement.all(...(params as Value[])) as unknown as unknown[][]).map(toRow),
      values: (params) => statement.all(...(params as Value[])) as unknown as unknown[][],
      run(params) {
        if (!countedStatement.test(sql)) uncountedChanges += 1
        const { changes, lastInsertRowid } = statement.run(...(params as Value[]))
        return { changes: Number(changes), lastInsertRowid }
      },
      *iterate(params) {
        for (const values of statement.iterate(...(params as Value[]))) yield toRow(values as unknown as unknown[])
      },
    }
  }

  return {
    prepare(sql) {
      let statement = prepared.get(sql)
      if (statement === undefined) prepared.set(sql, (statement = createStatement(sql)))
      return statement
    },
    exec: (sql) => database.exec(sql),
    inTransaction: () => database.isTransaction,
    changes: () => countChanges() + uncountedChanges,
    close: () => database.close(),
  }
}

function removeOthersAccess(path: string): void {
  const { mode } = statSync(path)
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
}

/** Ignores a failure (no such folder, another owner): SQLite then reports the problem, or works in spite of it. */
function attempt(step: () => void): boolean {
  try {
    step()
    return true
  } catch {
    return false
  }
}

/**
 * Creates a SQLite file that only its owner can access, in spite of the folder and the umask, or removes the access of
 * other users from an existing one: reading suffices to hold a lock on it. SQLite gives its neighbouring files the same
 * mode. An existing file is never opened, because closing it would release this process's locks on it.
 */
export function makeOwnerOnly(path: string): void {
  if (attempt(() => closeSync(openSync(path, 'wx', 0o600)))) return
  for (const each of [path, `${path}-wal`, `${path}-shm`]) attempt(() => removeOthersAccess(each))
}
