import { type DialectAdapter, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { QueryResult } from 'pg'
import type { Schema } from '../schema.ts'
import type { Value } from '../types.ts'

/** A SQL text in PostgreSQL's form. */
export interface Statement {
  text: string
  /** Name under which each connection keeps it prepared; undefined if too many are. */
  name: string | undefined
  /** Whether it cannot change anything. */
  reads: boolean
  /** Whether it changes rows in a WITH, which its result does not count. */
  changesWithin: boolean
  /** Tables whose rows it deletes or replaces. */
  replaces: readonly string[]
}

/** Bounds the server's memory: texts may differ only by the length of a list. */
const maxPrepared = 1000
/** Beyond that, this many recent texts are cached in their converted form, but not prepared. */
const maxUnprepared = 1000

const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g

/** Replaces each `?` outside of strings, names and comments by $1, $2 … */
export function numberPlaceholders(sql: string): string {
  let n = 0
  return sql.replace(quotedOrPlaceholder, (found) => (found === '?' ? `$${(n += 1)}` : found))
}

const changing = /\b(?:insert|update|delete)\b/i
const replacing = /(?<!\bfor\s+)\b(?:update|delete\s+from|merge\s+into)\s+"?(\w+)"?/gi
const upserted = /\binsert\s+into\s+"?(\w+)"?[^]*\bdo\s+update\b/gi

const tablesIn = (sql: string, pattern: RegExp): string[] =>
  [...sql.matchAll(pattern)].map(([, table]) => table as string).filter((table) => table.toLowerCase() !== 'set')

/** Returns the same statement for the same text, unless there are too many. */
export function createStatements(): (sql: string) => Statement {
  const prepared = new Map<string, Statement>()
  const unprepared = new Map<string, Statement>()
  function cacheUnprepared(sql: string, statement: Statement): void {
    const [oldest] = unprepared.keys()
    if (oldest !== undefined && unprepared.size >= maxUnprepared) unprepared.delete(oldest)
    unprepared.set(sql, statement)
  }
  return (sql) => {
    let statement = prepared.get(sql) ?? unprepared.get(sql)
    if (statement !== undefined) return statement
    const name = prepared.size < maxPrepared ? `privity${prepared.size}` : undefined
    statement = {
      text: numberPlaceholders(sql),
      name,
      reads: /^\s*(?:select|with)\b/i.test(sql) && !changing.test(sql),
      changesWithin: /^\s*with\b/i.test(sql) && changing.test(sql),
      replaces: [...new Set([...tablesIn(sql, replacing), ...tablesIn(sql, upserted)])],
    }
    if (name !== undefined) prepared.set(sql, statement)
    else cacheUnprepared(sql, statement)
    return statement
  }
}

/** Shared by all connections of this process: each prepares statements under the same names. */
export const toStatement = createStatements()

export type Query = (sql: string, params: readonly Value[]) => Promise<QueryResult>

class OwnDialect extends PostgresDialect {
  readonly #adapter: (() => DialectAdapter) | undefined

  constructor(query: Query, adapter: (() => DialectAdapter) | undefined) {
    const client = { query, release() {} } as unknown as PostgresPoolClient
    super({ pool: { connect: async () => client, end: async () => {}, options: {} } })
    this.#adapter = adapter
  }

  override createAdapter(): DialectAdapter {
    return this.#adapter?.() ?? super.createAdapter()
  }
}

/** Creates a Kysely that runs its statements by `query`. */
export const createKysely = (query: Query, adapter?: () => DialectAdapter): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: new OwnDialect(query, adapter) })
