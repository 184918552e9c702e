import { DatabaseSync } from 'node:sqlite'
import { isConstraint } from '../errors.ts'
import type { Value } from '../types.ts'

/** A statement prepared once; `reader` tells whether it answers rows. Also what Kysely's SQLite dialect asks for. */
export interface Statement {
  readonly reader: boolean
  get(params: readonly unknown[]): unknown
  all(params: readonly unknown[]): unknown[]
  /** Rows as arrays of their values, the cheapest form of many. */
  values(params: readonly unknown[]): unknown[][]
  run(params: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
  iterate(params: readonly unknown[]): IterableIterator<unknown>
}

export interface Sqlite {
  /** The same statement each time for the same text. */
  prepare(sql: string): Statement
  exec(sql: string): void
  inTransaction(): boolean
  /** Grows with every statement that has changed something, by the rows it changed; one that found none adds nothing. */
  changes(): number
  close(): void
}

type Row = Record<string, unknown>

/**
 * Makes rows from arrays of values by code written for these columns, which V8 builds in half the
 * time that SQLite's binding takes to make an object with named properties.
 */
function createRowMaker(columns: readonly string[]): (values: readonly unknown[]) => Row {
  const properties = columns.map((name, at) => `${JSON.stringify(name)}: values[${at}]`)
  // oxlint-disable-next-line typescript/no-implied-eval -- made of the column names of our own statements only
  return new Function('values', `return { ${properties.join(', ')} }`) as (values: readonly unknown[]) => Row
}

/** What changes nothing of what is stored. */
const plain = /^\s*(select|begin|commit|rollback)\b/i
/** What counts the rows it changes, or answers them; everything else (a schema, a pragma) may have changed anything. */
const ofRows = /^\s*(insert|update|delete|replace|with)\b/i

/** `timeout` is how long (ms) to wait for another connection's lock. */
export function openSqlite(path: string, { timeout = 5000 } = {}): Sqlite {
  const database = new DatabaseSync(path, { timeout })
  const prepared = new Map<string, Statement>()
  let changed = 0

  function createStatement(sql: string): Statement {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    const toRow = createRowMaker(columns)
    const reads: Statement = {
      reader: columns.length > 0,
      get(params) {
        const values = statement.get(...(params as Value[])) as unknown[] | undefined
        return values === undefined ? undefined : toRow(values)
      },
      all: (params) => (statement.all(...(params as Value[])) as unknown as unknown[][]).map(toRow),
      values: (params) => statement.all(...(params as Value[])) as unknown as unknown[][],
      run(params) {
        const { changes, lastInsertRowid } = statement.run(...(params as Value[]))
        return { changes: Number(changes), lastInsertRowid }
      },
      *iterate(params) {
        for (const values of statement.iterate(...(params as Value[]))) yield toRow(values as unknown as unknown[])
      },
    }
    return plain.test(sql) ? reads : counted(reads, ofRows.test(sql))
  }

  /** A row that is changed is answered (`returning`); triggers and cascades change nothing where no row is. */
  function counted(statement: Statement, rows: boolean): Statement {
    const attempt = <T>(run: () => T, rowsIn: (answer: T) => number): T => {
      try {
        const answer = run()
        changed += rows ? rowsIn(answer) : 1
        return answer
      } catch (error) {
        // A constraint undoes its statement, and that alone unless the transaction is gone with it.
        if (!isConstraint(error) || !database.isTransaction) changed += 1
        throw error
      }
    }
    return {
      reader: statement.reader,
      get: (params) =>
        attempt(
          () => statement.get(params),
          (row) => (row === undefined ? 0 : 1),
        ),
      all: (params) =>
        attempt(
          () => statement.all(params),
          ({ length }) => length,
        ),
      values: (params) =>
        attempt(
          () => statement.values(params),
          ({ length }) => length,
        ),
      run: (params) =>
        attempt(
          () => statement.run(params),
          ({ changes }) => changes,
        ),
      iterate(params) {
        // Nothing writes so; it is taken for a change before anyone knows.
        changed += 1
        return statement.iterate(params)
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
    changes: () => changed,
    close: () => database.close(),
  }
}
