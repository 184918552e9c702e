import { openSqliteDb } from './sqlite/database.ts'
import type { Db, DbOptions } from './types.ts'

/** Opens and migrates the PostgreSQL database in `options`, else the SQLite file at `path`, created if absent. */
export async function openDb(path: string, options: DbOptions): Promise<Db> {
  if (options.postgres === undefined) return openSqliteDb(path, options)
  // Loaded on demand: the client library takes memory and time to load.
  const { openPostgresDb } = await import('./postgres/database.ts')
  return openPostgresDb(options.postgres, options)
}
