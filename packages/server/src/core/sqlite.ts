import { DatabaseSync } from 'node:sqlite'

export type Value = string | number | bigint | null | Uint8Array

/** A statement prepared once; `reader` tells whether it answers rows. Also what Kysely's SQLite dialect asks for. */
export interface Statement {
  readonly reader: boolean
  /** false only for what plainly reads */
  readonly mayWrite: boolean
  get(params: readonly unknown[]): unknown
  all(params: readonly unknown[]): unknown[]
  run(params: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
  iterate(params: readonly unknown[]): IterableIterator<unknown>
}

export interface Sqlite {
  /** The same statement each time for the same text. */
  prepare(sql: string): Statement
  exec(sql: string): void
  inTransaction(): boolean
  close(): void
}

/** `timeout` is how long (ms) to wait for another connection's lock. */
export function openSqlite(path: string, { timeout = 5000 } = {}): Sqlite {
  const database = new DatabaseSync(path, { timeout })
  const prepared = new Map<string, Statement>()

  function createStatement(sql: string): Statement {
    const statement = database.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      mayWrite: !/^\s*select\b/i.test(sql),
      get: (params) => statement.get(...(params as Value[])),
      all: (params) => statement.all(...(params as Value[])),
      run(params) {
        const { changes, lastInsertRowid } = statement.run(...(params as Value[]))
        return { changes: Number(changes), lastInsertRowid }
      },
      iterate: (params) => statement.iterate(...(params as Value[])),
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
    close: () => database.close(),
  }
}
