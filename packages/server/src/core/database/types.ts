import type { FileHandle } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Migrations } from '../../migrations/list.ts'
import type { Schema } from './schema.ts'

/** Reading. `get` and `all` prepare each SQL text once: the hot paths; `kysely` for everything else. */
export interface Reader {
  kysely: Kysely<Schema>
  get<T>(sql: string, params?: readonly Value[]): Promise<T | undefined>
  all<T>(sql: string, params?: readonly Value[]): Promise<T[]>
}

/** Reading and writing inside `db.write`. */
export interface Tx extends Reader {
  run(sql: string, params?: readonly Value[]): Promise<{ changes: number }>
  /**
   * Runs a statement of `rowsStatement` for all these rows, in their order: some at a time on PostgreSQL, where each
   * statement is a journey, and one at a time on SQLite, which copies what one of several rows may have to undo.
   */
  runRows(text: (rows: number) => string, rows: readonly (readonly Value[])[]): Promise<void>
  /**
   * On PostgreSQL: a statement that makes all the changes of its work, which at READ COMMITTED needs neither BEGIN nor
   * COMMIT: one journey instead of two. Where the connection is lost meanwhile it may have been kept and is run again all
   * the same, so what it stores is unique, and the work looks for it.
   */
  runWhole?<T>(sql: string, params: readonly Value[]): Promise<T[]>
  /** Runs once the transaction is durable, before the call is answered; never if it failed. */
  afterCommit(run: () => void): void
}

/**
 * What other processes may do meanwhile. Serializable: as if they did it before or after. Read committed costs less
 * where several processes write much: the work sees what they have committed, statement by statement, so what it
 * relies on stands in the conditions of its own statements, and it throws `collision()` where one did not hold. On SQLite,
 * which has one writer, they are the same.
 */
export type Isolation = 'serializable' | 'read committed'

export interface Db {
  /** Sees committed rows only (a connection of its own). */
  read: Reader
  /**
   * Runs `work` in a transaction and answers when it is durable. Calls that wait at the same moment
   * share one COMMIT, and one that throws undoes only itself. `work` must await nothing but `tx` (the
   * batch waits for it), and may be run again when another call spoilt the batch, or another process
   * changed what it read, so it changes nothing outside `tx`. On PostgreSQL a statement that fails ends
   * the transaction: `work` may say why, but cannot go on.
   */
  write<T>(work: (tx: Tx) => Promise<T>, isolation?: Isolation): Promise<T>
  /**
   * Lets go of what deleted rows held. On SQLite: moves the write-ahead log into the database and empties it,
   * so that deleted bytes are gone from both. On PostgreSQL: frees the space of deleted rows for the next ones;
   * their bytes are overwritten by those, and in the server's log when it goes round.
   */
  emptyLog(): Promise<void>
  /** For afterCommit where a secret was replaced or deleted: the next retention job of this process empties the log. */
  emptyLogSoon(): void
  /** Whether emptyLogSoon was called since the log was emptied, or emptying it failed. */
  holdsDeleted(): boolean
  /** Writes what waits, then closes. */
  close(): Promise<void>
}

export interface DbOptions {
  /** Hears of what fails where no caller can be told: an afterCommit hook, a checkpoint, a connection at rest. */
  onError: (error: unknown) => void
  /**
   * A write was answered as failed, and may have been kept all the same: no afterCommit hook told anyone of it. On
   * PostgreSQL it may even come to be kept a little later, when the server reads what it was sent.
   */
  onUncertain?: () => void
  /** SQLite: brings the log to the disk; tests look at what it holds by then, or let it fail. */
  syncLog?: (log: FileHandle) => Promise<void>
  /** The PostgreSQL database to use instead of the file, and how many connections read at once. */
  postgres?: { url: string; readers: number } | undefined
  watch?: BatchWatch
  /** For tests of what releases do to each other; else every migration that there is. */
  migrations?: Migrations | undefined
}

/** Hears how the batches go. */
export interface BatchWatch {
  /** One was answered, well or not: how many calls it held, and how long (s) they took. */
  batch(calls: number, seconds: number): void
  /** One is done again, because another process was faster or the database was away. */
  repeated(): void
}

export type Value = string | number | bigint | null | Uint8Array
