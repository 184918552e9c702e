import { clearTimeout, setTimeout } from 'node:timers'
import {
  Client,
  type ClientBase,
  type ClientConfig,
  DatabaseError,
  type QueryConfig,
  type QueryResult,
  types,
} from 'pg'
import { isLoopback } from '../../config/addresses.ts'
import type { Value } from '../types.ts'
import type { Statement } from './statements.ts'

function parseInteger(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`${text} in the database is beyond the numbers that can be told apart`)
  return value
}

/** Parses numbers of every width as numbers and booleans as 1 and 0, as SQLite returns them. */
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
  [types.builtins.INT8, parseInteger],
  [types.builtins.NUMERIC, parseInteger],
])

/** Timeouts (ms) of a statement, of the wait for a lock, and of silence within a transaction; 0 is none. */
interface Timeouts {
  statement: number
  lock: number
  idle: number
  /** Timeout of a response: longer than those of the server, so only a dead connection exceeds it. */
  response: number
}

/** `short` is for requests that people wait for, `long` for migrations and cleanup. */
export const sessionTimeouts = {
  short: { statement: 15_000, lock: 10_000, idle: 30_000, response: 18_000 },
  long: { statement: 0, lock: 0, idle: 0, response: 0 },
} satisfies Record<string, Timeouts>

/** Pipelines queries: each is sent without waiting for the response to the one before. */
export function clientConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: 'privity',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        parsers.get(oid) ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  }
}

/** Whether the connection goes to another machine without TLS, by pg's own reading of address and environment. */
export function isUnencrypted(url: string): boolean {
  const { host, ssl } = new Client(clientConfig(url))
  return !ssl && !host.startsWith('/') && !isLoopback(host)
}

/** Whether the connection goes to another machine by TLS without verifying its certificate (sslmode=no-verify). */
export function isUnverified(url: string): boolean {
  const { host, ssl } = new Client(clientConfig(url)) as { host: string; ssl: unknown }
  const skipsVerification =
    typeof ssl === 'object' && ssl !== null && 'rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false
  return skipsVerification && !host.startsWith('/') && !isLoopback(host)
}

/**
 * Set by statements, because every proxy passes those on. synchronous_commit: a commit acknowledged before it is on
 * disk would not be durable. random_page_cost: with the value for rotating disks, PostgreSQL would scan a table of
 * thousands of rows to find a few.
 */
const settings = ({ statement, lock, idle }: Timeouts) =>
  `set statement_timeout = ${statement}; set lock_timeout = ${lock};
   set idle_in_transaction_session_timeout = ${idle};
   select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit', true) = 'off';
   select set_config('random_page_cost', '1.1', false) where current_setting('random_page_cost', true)::float8 > 1.1`

/**
 * Runs a query; closes the connection if no response arrives. Avoids pg's own promise and timeout, which V8 would keep
 * in the old generation, with the query and its rows, until a full collection.
 */
export function sendStatement(
  client: ClientBase,
  query: QueryConfig,
  { response }: Pick<Timeouts, 'response'>,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const closeConnection = () => {
      reject(new Error('Connection terminated: its other end does not respond'))
      ;(client as Client).connection.stream.destroy()
    }
    const timer = response > 0 ? setTimeout(closeConnection, response) : undefined
    client.query(query, (error: Error | null, result) => {
      clearTimeout(timer)
      if (error === null) resolve(result)
      else reject(error)
    })
  })
}

export const prepareSession = async (client: ClientBase, timeouts: Timeouts): Promise<void> =>
  void (await sendStatement(client, { text: settings(timeouts) }, timeouts))

/** Opens a dedicated connection. `onLost` is called when it ends unexpectedly, perhaps before this resolves. */
export async function connect(
  url: string,
  timeouts: Timeouts,
  onLost: (client: Client, error: unknown) => void = () => {},
): Promise<Client> {
  const client = new Client(clientConfig(url))
  // Without a listener the end of a connection would end the process.
  client.on('error', (error) => onLost(client, error))
  try {
    await client.connect()
    await prepareSession(client, timeouts)
    return client
  } catch (error) {
    end(client)
    throw error
  }
}

/** Ends a connection without waiting for the server. */
export function end(client: Client): void {
  void client.end().catch(() => {})
}

/** Removes row values from an error, because errors are logged. Keeps the column names, for isTaken. */
function withoutRows(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  const columns = /\(([^)]*)\)=\(/.exec(error.detail ?? '')?.[1]?.split(', ')
  for (const field of ['detail', 'where', 'internalQuery'] as const) delete error[field]
  return Object.assign(error, columns && { columns })
}

/** Runs a statement, prepared once for each text and connection. */
export async function runOn(
  client: ClientBase,
  { text, name }: Pick<Statement, 'text' | 'name'>,
  params: readonly Value[],
  timeouts: Timeouts = sessionTimeouts.short,
): Promise<QueryResult> {
  try {
    return await sendStatement(
      client,
      { text, ...(name !== undefined && { name }), values: params as Value[] },
      timeouts,
    )
  } catch (error) {
    // The caller's stack is more useful in a log than the socket's.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw withoutRows(error)
  }
}
