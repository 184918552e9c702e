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

/** Any other statement (a schema, a pragma) may change what SQLite does not count. */
const ofRows = /^\s*(select|begin|commit|rollback|insert|update|delete|replace|with)\b/i

/** `timeout` is how long (ms) to wait for another connection's lock. */
export function openSqlite(path: string, { timeout = 5000 } = {}): Sqlite {
  const database = new DatabaseSync(path, { timeout })
  const prepared = new Map<string, Statement>()
  let uncounted = 0
  /** Prepared when it is first needed: preparing reads the schema, which fails while another process holds the lock. */
  let counted: StatementSync | undefined
  const countChanges = () => {
    counted ??= database.prepare('select total_changes() as n')
    return (counted.get() as { n: number }).n
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
        if (!ofRows.test(sql)) uncounted += 1
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
    changes: () => countChanges() + uncounted,
    close: () => database.close(),
  }
}
