import { openSqliteDb } from './sqlite/database.ts'
import type { Db, DbOptions } from './types.ts'

/** Opens (and creates, and migrates) the SQLite database at `path`, or migrates the PostgreSQL database that is given. */
export async function openDb(path: string, options: DbOptions): Promise<Db> {
  if (options.postgres === undefined) return openSqliteDb(path, options)
  // Only where it is wanted: the client library takes memory and time to load.
  const { openPostgresDb } = await import('./postgres/database.ts')
  return openPostgresDb(options.postgres, options)
}
