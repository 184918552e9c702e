import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { AppError } from '@privity/contract/errors'
import { settleInOrder, splitIntoStatements } from '../statements.ts'
import { isCollision, isLost, isRetryable, isStale } from '../errors.ts'
import type { Isolation, Value } from '../types.ts'
import type { ErrorHooks, Writer } from '../groupCommit.ts'
import { sendStatement, connect, end, sessionTimeouts, runOn } from './connect.ts'
import { createKysely, type Statement, toStatement } from './statements.ts'

export interface PostgresWriter extends Writer {
  /** Returns the tables whose rows were deleted or replaced since the last call. */
  takeReplaced(): string[]
  /** Reverts `takeReplaced`. */
  restoreReplaced(tables: readonly string[]): void
  close(): Promise<void>
}

const changingNothing = ['SELECT', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SET', 'SHOW', 'VALUES', 'EXPLAIN']
const countingRows = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** Counts the changed rows; 1 if the number is unknown, as for a change of the schema. */
function changesOf({ changesWithin }: Statement, { command, rowCount }: pg.QueryResult): number {
  if (changesWithin) return 1
  if (countingRows.includes(command)) return rowCount ?? 0
  return changingNothing.includes(command) ? 0 : 1
}

const maxCollisions = 40
const maxLosses = 3

const sendCommand = (client: pg.Client, text: string) => sendStatement(client, { text }, sessionTimeouts.short)

/** Backs off longer each time, at random so that two colliding processes do not collide again. */
const pause = (tries: number) => Math.random() * Math.min(2 ** tries, 250)

/** Whether the server reported a rollback, rather than merely not responding. */
const isRolledBack = (error: unknown): boolean =>
  isCollision(error) || isStale(error) || (!isRetryable(error) && error instanceof Error && 'severity' in error)

/**
 * The one connection that writes, in SERIALIZABLE transactions unless READ COMMITTED is requested: PostgreSQL then
 * admits only results that the calls of all processes could have had one after the other. Opened when first needed, and
 * again after a loss.
 */
export function createPostgresWriter(url: string, { onError }: Pick<ErrorHooks, 'onError'>): PostgresWriter {
  let client: pg.Client | undefined
  let isOpen = false
  /** Whether BEGIN was sent. */
  let hasBegun = false
  /** BEGIN until it is acknowledged. */
  let pendingBegin: Promise<unknown> | undefined
  /** Whether a changing statement may be sent before BEGIN was acknowledged: see `query`. */
  let canPipeline = false
  let failure: unknown
  let changes = 0
  let lastChanges = 0
  const replaced = new Set<string>()

  function disconnect(lost: pg.Client): void {
    if (client === lost) client = undefined
    end(lost)
  }

  async function getClient(): Promise<pg.Client> {
    if (client !== undefined) return client
    try {
      return (client = await connect(url, sessionTimeouts.short, (lost, error) => {
        if (client === lost && !isOpen) onError(error)
        disconnect(lost)
      }))
    } catch (error) {
      throw new AppError('UNAVAILABLE', { cause: error })
    }
  }

  async function query(sql: string, params: readonly Value[] = []): Promise<pg.QueryResult> {
    const active = client
    try {
      if (active === undefined || !isOpen) throw new Error('Connection terminated within a transaction')
      const statement = toStatement(sql)
      if (!hasBegun && !statement.reads) sendBegin(active, 'read committed')
      // Changes that belong together must never run outside of a transaction, so they wait for BEGIN. At READ
      // COMMITTED, where each statement leaves a state that another process may see, they follow at once: BEGIN fails
      // only with the connection.
      if (pendingBegin !== undefined && !statement.reads && !canPipeline) await pendingBegin
      const result = await runOn(active, statement, params)
      if (pendingBegin !== undefined) await pendingBegin
      const changed = changesOf(statement, result)
      changes += changed
      if (changed > 0) for (const table of statement.replaces) replaced.add(table)
      return result
    } catch (error) {
      failure ??= error
      if (active !== undefined && (isLost(error) || isStale(error))) disconnect(active)
      throw error
    }
  }

  function sendBegin(active: pg.Client, isolation: Isolation): void {
    const sent = sendCommand(active, `begin isolation level ${isolation}`).then(
      () => void (pendingBegin = undefined),
      (error: unknown) => {
        disconnect(active)
        throw error
      },
    )
    sent.catch(() => {})
    pendingBegin = sent
    canPipeline = isolation === 'read committed'
    hasBegun = true
  }

  /**
   * Does not wait for BEGIN: if the connection was lost while idle, the first statement fails and the batch is
   * repeated. At READ COMMITTED reading needs no BEGIN, so it is sent before the first statement that changes a row.
   */
  async function begin(isolation: Isolation): Promise<void> {
    failure = undefined
    const active = await getClient()
    ;[isOpen, hasBegun, pendingBegin] = [true, false, undefined]
    if (isolation !== 'read committed') sendBegin(active, isolation)
  }

  return {
    statements: {
      kysely: createKysely(query),
      get: async <T>(sql: string, params?: readonly Value[]) => (await query(sql, params)).rows[0] as T | undefined,
      all: async <T>(sql: string, params?: readonly Value[]) => (await query(sql, params)).rows as T[],
      run: async (sql: string, params?: readonly Value[]) => ({ changes: (await query(sql, params)).rowCount ?? 0 }),
      runRows: (text, rows) =>
        settleInOrder(splitIntoStatements(rows).map((batch) => query(text(batch.length), batch.flat()))),
    },
    begin,
    // READ COMMITTED jobs run alone: each locks rows in its own order, so that in shared transactions two processes
    // could deadlock.
    canShare: (isolation) => isolation === 'serializable',
    async commit() {
      const active = client
      isOpen = false
      if (!hasBegun) return
      if (active === undefined) throw new Error('Connection terminated before the commit')
      await pendingBegin
      try {
        const { command } = await sendCommand(active, 'commit')
        if (command !== 'COMMIT') throw Object.assign(new Error('the transaction was undone'), { severity: 'ERROR' })
      } catch (error) {
        if (isRolledBack(error)) throw error
        disconnect(active)
        throw new AppError('UNAVAILABLE', { cause: error })
      }
    },
    async rollback() {
      const active = client
      if (!isOpen) return
      isOpen = false
      if (!hasBegun) return
      if (active !== undefined) await sendCommand(active, 'rollback').catch(() => disconnect(active))
    },
    failure: () => failure,
    async canRepeat(error, tries) {
      if (error instanceof AppError) return false
      const maxTries = isCollision(error) ? maxCollisions : isLost(error) || isStale(error) ? maxLosses : 0
      if (tries >= maxTries) return false
      await wait(pause(tries))
      return true
    },
    hasWritten() {
      const before = lastChanges
      lastChanges = changes
      return lastChanges !== before
    },
    // PostgreSQL acknowledges a commit once its log is on disk.
    sync: async () => {},
    takeReplaced() {
      const tables = [...replaced]
      replaced.clear()
      return tables
    },
    restoreReplaced: (tables) => tables.forEach((table) => replaced.add(table)),
    async close() {
      const active = client
      client = undefined
      await active?.end().catch(() => {})
    },
  }
}
