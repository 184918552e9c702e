import { isLocked, isMissingVacuum, toAppError } from '../errors.ts'
import { migrations as released, type Migrations } from '../../../migrations/list.ts'
import type { Db, DbOptions } from '../types.ts'
import { createGroupCommit, type ErrorHooks } from '../groupCommit.ts'
import { checkText, explainStart } from './check.ts'
import { connect, end, sessionTimeouts } from './connect.ts'
import { migratePostgres } from './migrate.ts'
import { createPostgresReader } from './reader.ts'
import { createPostgresWriter } from './writer.ts'

async function prepare(url: string, migrations: Migrations): Promise<void> {
  try {
    const client = await connect(url, sessionTimeouts.long)
    try {
      await checkText(client, url)
      await migratePostgres(client, url, migrations)
    } finally {
      end(client)
    }
  } catch (error) {
    throw explainStart(url, error)
  }
}

/** Opens and migrates the PostgreSQL database at `url`, which must exist. */
export async function openPostgresDb(
  { url, readers }: { url: string; readers: number },
  options: Pick<DbOptions, keyof ErrorHooks | 'watch' | 'migrations'>,
): Promise<Db> {
  const { onError, watch, migrations = released } = options
  await prepare(url, migrations)
  const writer = createPostgresWriter(url, options)
  const reader = createPostgresReader(url, readers, onError)
  const commits = createGroupCommit(writer, options, watch)
  let holdsDeleted = false

  /**
   * Uses its own connection, because VACUUM cannot run inside a transaction and may take long. Returns whether it
   * skipped a table.
   */
  async function vacuum(tables: readonly string[]): Promise<boolean> {
    if (tables.length === 0) return false
    const client = await connect(url, sessionTimeouts.long)
    let skipped = false
    client.on('notice', (notice) => void (skipped ||= isLocked(notice)))
    try {
      await client.query(`vacuum (skip_locked) ${tables.map((table) => `"${table}"`).join(', ')}`)
      return skipped
    } catch (error) {
      if (isMissingVacuum(error)) return false
      throw error
    } finally {
      end(client)
    }
  }

  const { kysely, get, all } = reader
  return {
    read: { kysely, get, all },
    write: commits.write,
    async purgeDeletedRows() {
      const tables = writer.takeReplaced()
      holdsDeleted = false
      const keepForNextTime = () => {
        writer.restoreReplaced(tables)
        holdsDeleted = true
      }
      try {
        if (await vacuum(tables)) keepForNextTime()
      } catch (error) {
        keepForNextTime()
        throw toAppError(error)
      }
    },
    emptyLogSoon: () => void (holdsDeleted = true),
    holdsDeleted: () => holdsDeleted,
    async close() {
      await commits.finish()
      await Promise.all([writer.close(), reader.close()])
    },
  }
}
