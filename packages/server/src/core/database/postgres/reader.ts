import { Pool, type QueryResult } from 'pg'
import { AppError } from '@privity/contract/errors'
import { isLost, isStale, toAppError } from '../errors.ts'
import type { Reader, Value } from '../types.ts'
import { sendStatement, clientConfig, sessionTimeouts, prepareSession, runOn } from './connect.ts'
import { createKysely, toStatement } from './statements.ts'

export interface PostgresReader extends Reader {
  close(): Promise<void>
}

/** Creates a pool of read-only connections; a statement reads what was committed when it began. */
export function createPostgresReader(
  url: string,
  connections: number,
  onError: (error: unknown) => void,
): PostgresReader {
  const pool = new Pool({
    ...clientConfig(url),
    max: connections,
    idleTimeoutMillis: 60_000,
    async onConnect(client) {
      await prepareSession(client, sessionTimeouts.short)
      await sendStatement(
        client,
        { text: 'set session characteristics as transaction read only' },
        sessionTimeouts.short,
      )
    },
  })
  // Errors of an idle connection; without a listener they would end the process.
  pool.on('error', onError)

  async function attempt(sql: string, params: readonly Value[]): Promise<QueryResult> {
    // Failing to get a connection is not losing one: a second attempt would wait as long again.
    const client = await pool.connect().catch((error: unknown) => {
      throw new AppError('UNAVAILABLE', { cause: error })
    })
    let broken = false
    // Errors of a connection in use; its query fails with the same error.
    const markBroken = () => void (broken = true)
    client.on('error', markBroken)
    try {
      return await runOn(client, toStatement(sql), params)
    } catch (error) {
      broken ||= isLost(error) || isStale(error)
      throw error
    } finally {
      client.off('error', markBroken)
      client.release(broken)
    }
  }

  /** Tries once more on another connection: reading twice is harmless. */
  async function query(sql: string, params: readonly Value[] = []): Promise<QueryResult> {
    try {
      return await attempt(sql, params).catch((error: unknown) => {
        if (isLost(error) || isStale(error)) return attempt(sql, params)
        throw error
      })
    } catch (error) {
      throw toAppError(error)
    }
  }

  return {
    kysely: createKysely(query),
    get: async <T>(sql: string, params?: readonly Value[]) => (await query(sql, params)).rows[0] as T | undefined,
    all: async <T>(sql: string, params?: readonly Value[]) => (await query(sql, params)).rows as T[],
    close: () => pool.end(),
  }
}
