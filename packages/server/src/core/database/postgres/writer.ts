import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { AppError } from '@privity/contract/errors'
import { settleInOrder, splitIntoStatements } from '../statements.ts'
import { isCollision, isLost, isRetryable, isStale, isUnknown } from '../errors.ts'
import type { Isolation, Value } from '../types.ts'
import type { ErrorHooks, Writer } from '../groupCommit.ts'
import { sendStatement, connect, end, sessionTimeouts, runOn } from './connect.ts'
import { createKysely } from './kysely.ts'
import { type Statement, statementOf } from './statements.ts'

export interface PostgresWriter extends Writer {
  /** Returns the tables whose rows were deleted or replaced since the last call. */
  takeReplaced(): string[]
  /** Reverts `takeReplaced`. */
  putBack(tables: readonly string[]): void
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
const isUndone = (error: unknown): boolean =>
  isCollision(error) || isStale(error) || (!isRetryable(error) && error instanceof Error && 'severity' in error)

/**
 * The one connection that writes, in SERIALIZABLE transactions unless READ COMMITTED is requested: PostgreSQL then
 * admits only results that the calls of all processes could have had one after the other. Opened when first needed, and
 * again after a loss.
 */
export function createPostgresWriter(url: string, { onError, onUncertain = () => {} }: ErrorHooks): PostgresWriter {
  let client: pg.Client | undefined
  let open = false
  /** Whether BEGIN was sent. */
  let begun = false
  /** Whether the changes were made by a statement without BEGIN. */
  let hasCommitted = false
  /** BEGIN that was sent and has no response yet. */
  let beginning: Promise<unknown> | undefined
  /** Whether a changing statement may be sent before BEGIN has a response: see `query`. */
  let mayFollow = false
  let failure: unknown
  let changes = 0
  let known = 0
  const replaced = new Set<string>()

  function drop(lost: pg.Client): void {
    if (client === lost) client = undefined
    end(lost)
  }

  async function connected(): Promise<pg.Client> {
    if (client !== undefined) return client
    try {
      return (client = await connect(url, sessionTimeouts.short, (lost, error) => {
        if (client === lost && !open) onError(error)
        drop(lost)
      }))
    } catch (error) {
      throw new AppError('UNAVAILABLE', { cause: error })
    }
  }

  async function within<T>(run: (active: pg.Client) => Promise<T>): Promise<T> {
    const active = client
    try {
      if (active === undefined || !open) throw new Error('Connection terminated within a transaction')
      return await run(active)
    } catch (error) {
      failure ??= error
      if (active !== undefined && (isLost(error) || isStale(error))) drop(active)
      throw error
    }
  }

  const query = (sql: string, params: readonly Value[] = []): Promise<pg.QueryResult> =>
    within(async (active) => {
      const statement = statementOf(sql)
      if (!begun && !statement.reads) sendBegin(active, 'read committed')
      // Changes that belong together must never run outside of a transaction, so they wait for BEGIN. At READ
      // COMMITTED, where each statement leaves a state that another process may see, they follow at once: BEGIN fails
      // only with the connection.
      if (beginning !== undefined && !statement.reads && !mayFollow) await beginning
      const result = await runOn(active, statement, params)
      if (beginning !== undefined) await beginning
      const changed = changesOf(statement, result)
      changes += changed
      if (changed > 0) for (const table of statement.replaces) replaced.add(table)
      return result
    })

  /** Without BEGIN the statement commits itself. */
  const queryWhole = (sql: string, params: readonly Value[]): Promise<pg.QueryResult> =>
    within(async (active) => {
      hasCommitted = true
      changes += 1
      try {
        return await runOn(active, statementOf(sql), params)
      } catch (error) {
        if (isLost(error) || isUnknown(error)) onUncertain()
        throw error
      }
    })

  function sendBegin(active: pg.Client, isolation: Isolation): void {
    if (hasCommitted) throw new Error('the work has made its changes already')
    const sent = sendCommand(active, `begin isolation level ${isolation}`).then(
      () => void (beginning = undefined),
      (error: unknown) => {
        drop(active)
        throw error
      },
    )
    sent.catch(() => {})
    beginning = sent
    mayFollow = isolation === 'read committed'
    begun = true
  }

  /**
   * If the server was away while nobody wrote, the first statement fails and everything is repeated. At READ COMMITTED
   * reading needs no BEGIN: it is sent with the first statement that changes something.
   */
  async function begin(isolation: Isolation): Promise<void> {
    failure = undefined
    const active = await connected()
    ;[open, begun, hasCommitted, beginning] = [true, false, false, undefined]
    if (isolation !== 'read committed') sendBegin(active, isolation)
  }

  return {
    statements: {
      kysely: createKysely(query),
      get: async <T>(sql: string, params?: readonly Value[]) => (await query(sql, params)).rows[0] as T | undefined,
      all: async <T>(sql: string, params?: readonly Value[]) => (await query(sql, params)).rows as T[],
      run: async (sql: string, params?: readonly Value[]) => ({ changes: (await query(sql, params)).rowCount ?? 0 }),
      runRows: (text, rows) =>
        settleInOrder(splitIntoStatements(rows).map((some) => query(text(some.length), some.flat()))),
      runWhole: async <T>(sql: string, params: readonly Value[]) =>
        (await (begun ? query : queryWhole)(sql, params)).rows as T[],
    },
    begin,
    // READ COMMITTED jobs run alone: each locks rows in its own order, so that in shared transactions two processes
    // could deadlock.
    shares: (isolation) => isolation === 'serializable',
    async commit() {
      const active = client
      open = false
      if (!begun) return
      if (active === undefined) throw new Error('Connection terminated before the commit')
      await beginning
      try {
        const { command } = await sendCommand(active, 'commit')
        if (command !== 'COMMIT') throw Object.assign(new Error('the transaction was undone'), { severity: 'ERROR' })
      } catch (error) {
        if (isUndone(error)) throw error
        drop(active)
        throw new AppError('UNAVAILABLE', { cause: error })
      }
    },
    async rollback() {
      const active = client
      if (!open) return
      open = false
      if (!begun) return
      if (active !== undefined) await sendCommand(active, 'rollback').catch(() => drop(active))
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
      const before = known
      known = changes
      return known !== before
    },
    // PostgreSQL acknowledges a commit once its log is on disk.
    sync: async () => {},
    takeReplaced() {
      const tables = [...replaced]
      replaced.clear()
      return tables
    },
    putBack: (tables) => tables.forEach((table) => replaced.add(table)),
    async close() {
      const active = client
      client = undefined
      await active?.end().catch(() => {})
    },
  }
}
