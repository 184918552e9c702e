import type { FileHandle } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Migrations } from '../../migrations/list.ts'
import type { Schema } from './schema.ts'

/** Reads. `get` and `all` prepare each SQL text once, for hot paths; `kysely` is for everything else. */
export interface Reader {
  kysely: Kysely<Schema>
  get<T>(sql: string, params?: readonly Value[]): Promise<T | undefined>
  all<T>(sql: string, params?: readonly Value[]): Promise<T[]>
}

/** Reads and writes inside `db.write`. */
export interface Tx extends Reader {
  run(sql: string, params?: readonly Value[]): Promise<{ changes: number }>
  /**
   * Runs a statement of `multiRowInsert` for all rows in order: several rows at once on PostgreSQL, where each
   * statement is a round trip; one at a time on SQLite, which copies the rows that a larger statement may undo.
   */
  runRows(text: (rows: number) => string, rows: readonly (readonly Value[])[]): Promise<void>
  /** Runs once the transaction is durable, before `write` resolves; never if it failed. */
  afterCommit(run: () => void): void
}

/**
 * How other processes may interfere with the work. Serializable: as if they ran before or after it. Read committed
 * costs less if several processes write much: each statement sees what they have committed, so the work states its
 * assumptions in the conditions of its statements, and throws `createCollision()` if one did not hold. On SQLite, which
 * has one writer, both are the same.
 */
export type Isolation = 'serializable' | 'read committed'

export interface Db {
  /** Sees committed rows only, on a connection of its own. */
  read: Reader
  /**
   * Runs `work` in a transaction and resolves once it is durable. Calls that wait at the same moment share one COMMIT;
   * one that throws undoes only itself. `work` must await nothing but `tx`, because the batch waits for it. It must
   * change nothing outside `tx`, because it is repeated if another call fails the batch or another process changed its
   * data. On PostgreSQL a failed statement ends the transaction: `work` may replace the error but cannot continue.
   * Serializable unless another isolation is given.
   */
  write<T>(work: (tx: Tx) => Promise<T>, isolation?: Isolation): Promise<T>
  /**
   * Destroys the contents of deleted rows. On SQLite: moves the write-ahead log into the database and empties it, so
   * deleted bytes are gone from both. On PostgreSQL: frees the space of deleted rows; new rows overwrite their bytes,
   * and the server's log is overwritten when its segments are reused.
   */
  purgeDeletedRows(): Promise<void>
  /** For afterCommit, if a secret was replaced or deleted: the next retention job of this process empties the log. */
  emptyLogSoon(): void
  /** Whether emptyLogSoon was called, or emptying failed, since the log was last emptied. */
  holdsDeleted(): boolean
  /** Finishes waiting writes, then closes. */
  close(): Promise<void>
}

export interface DbOptions {
  /** Receives failures that no caller awaits: of an afterCommit hook, a checkpoint, an idle connection. */
  onError: (error: unknown) => void
  /**
   * A write failed for its caller but may have been kept, without running its afterCommit hooks. On PostgreSQL it may
   * even be kept a little later, when the server reads what it was sent.
   */
  onUncertain?: () => void
  /** SQLite: syncs the log to disk; tests inspect the log at that moment, or let it fail. */
  syncLog?: (log: FileHandle) => Promise<void>
  /** The PostgreSQL database to use instead of the file, and the number of its reading connections. */
  postgres?: { url: string; readers: number } | undefined
  watch?: BatchWatch
  /** For tests of how releases share a database; by default all migrations. */
  migrations?: Migrations | undefined
}

/** Observes the batches. */
export interface BatchWatch {
  /** A batch has settled: its number of calls, and its duration in seconds. */
  batch(calls: number, seconds: number): void
  /** A batch is repeated, because another process was faster or the database was away. */
  repeated(): void
}

export type Value = string | number | bigint | null | Uint8Array
