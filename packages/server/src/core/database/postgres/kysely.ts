import { type DialectAdapter, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { QueryResult } from 'pg'
import type { Schema } from '../schema.ts'
import type { Value } from '../types.ts'

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
