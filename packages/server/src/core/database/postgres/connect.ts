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
import { isLoopback } from '../../config/loopback.ts'
import type { Value } from '../types.ts'
import type { Statement } from './statements.ts'

function whole(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`${text} in the database is beyond the numbers that can be told apart`)
  return value
}

/** Numbers of every width are numbers, and yes and no are 1 and 0, as SQLite has them. */
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
  [types.builtins.INT8, whole],
  [types.builtins.NUMERIC, whole],
])

/** How long (ms) a statement, the wait for a lock, and a silence within a transaction may last; 0 is for ever. */
interface Patience {
  statement: number
  lock: number
  idle: number
  /** And the wait for an answer: after all that the server itself would end, its end has vanished without a word. */
  answer: number
}

/** The first is for what people wait for; the second for migrations and clearing away. */
export const patience = {
  short: { statement: 15_000, lock: 10_000, idle: 30_000, answer: 18_000 },
  long: { statement: 0, lock: 0, idle: 0, answer: 0 },
} satisfies Record<string, Patience>

/** Queries are sent without waiting for the answer to the one before. */
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

/** Whether the connection goes to another machine without TLS: as pg reads the address and its environment. */
export function isUnencrypted(url: string): boolean {
  const { host, ssl } = new Client(clientConfig(url))
  return !ssl && !host.startsWith('/') && !isLoopback(host)
}

/** Whether the connection goes to another machine under TLS that checks no certificate (sslmode=no-verify). */
export function isUnverified(url: string): boolean {
  const { host, ssl } = new Client(clientConfig(url)) as { host: string; ssl: unknown }
  const isLax =
    typeof ssl === 'object' && ssl !== null && 'rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false
  return isLax && !host.startsWith('/') && !isLoopback(host)
}

/**
 * Said in statements, which every proxy passes on. A commit that the server would answer before its disk has it is none. As
 * though each page were sought on a turning disk, some rows of a table of thousands would be found by reading all of it (061).
 */
const settings = ({ statement, lock, idle }: Patience) =>
  `set statement_timeout = ${statement}; set lock_timeout = ${lock};
   set idle_in_transaction_session_timeout = ${idle};
   select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit', true) = 'off';
   select set_config('random_page_cost', '1.1', false) where current_setting('random_page_cost', true)::float8 > 1.1`

/**
 * Asks the server, and ends the connection where no answer comes. The promise that pg would make, and its timeout, are functions
 * assigned to a property: V8 keeps those among the old, with the query, its values and its rows, until a whole collection (062).
 */
export function ask(
  client: ClientBase,
  query: QueryConfig,
  { answer }: Pick<Patience, 'answer'>,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new Error('Connection terminated: its other end says nothing'))
      ;(client as Client).connection.stream.destroy()
    }
    const waiting = answer > 0 ? setTimeout(giveUp, answer) : undefined
    client.query(query, (error: Error | null, result) => {
      clearTimeout(waiting)
      if (error === null) resolve(result)
      else reject(error)
    })
  })
}

export const prepareSession = async (client: ClientBase, given: Patience): Promise<void> =>
  void (await ask(client, { text: settings(given) }, given))

/** A connection of one's own. `onLost` is told when it ends unasked, which may be before it is answered. */
export async function connect(
  url: string,
  given: Patience,
  onLost: (client: Client, error: unknown) => void = () => {},
): Promise<Client> {
  const client = new Client(clientConfig(url))
  // Without a listener the end of a connection would end the process.
  client.on('error', (error) => onLost(client, error))
  try {
    await client.connect()
    await prepareSession(client, given)
    return client
  } catch (error) {
    end(client)
    throw error
  }
}

/** Ends a connection without waiting for the other side. */
export function end(client: Client): void {
  void client.end().catch(() => {})
}

/** What a row holds is in no error: errors go to the log. Its columns are named, for isTaken. */
function withoutRows(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  const columns = /\(([^)]*)\)=\(/.exec(error.detail ?? '')?.[1]?.split(', ')
  for (const telling of ['detail', 'where', 'internalQuery'] as const) delete error[telling]
  return Object.assign(error, columns && { columns })
}

/** Runs a statement, prepared once for each text and connection. */
export async function runOn(
  client: ClientBase,
  { text, name }: Pick<Statement, 'text' | 'name'>,
  params: readonly Value[],
  given: Patience = patience.short,
): Promise<QueryResult> {
  try {
    return await ask(client, { text, ...(name !== undefined && { name }), values: params as Value[] }, given)
  } catch (error) {
    // Who asked is worth more in a log than who heard the answer.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw withoutRows(error)
  }
}
