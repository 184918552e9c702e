import { PostgresAdapter } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { ClientBase } from 'pg'
import { toAppError } from '../dbErrors.ts'
import { migrations } from '../../migrations/list.ts'
import { connect, end, patience, runOn } from './connect.ts'
import { createKysely, type Query } from './kysely.ts'
import { underLease } from './lease.ts'

/** Kysely's own takes an advisory lock, which not every engine has. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
}

async function isUpToDate(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: number }>(
    "select count(*) as found from information_schema.tables where table_name = 'kysely_migration' and table_schema = current_schema()",
  )
  if (rows[0]?.found !== 1) return false
  const { rows: done } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return done.map(({ name }) => name).join() === Object.keys(migrations).sort().join()
}

/** All that is missing in one transaction: a process killed in the middle leaves what was there. */
async function migrate(url: string): Promise<void> {
  const client = await connect(url, patience.long)
  const query: Query = (sql, params) => runOn(client, { text: sql, name: undefined }, params)
  try {
    const db = createKysely(query, () => new UnlockedAdapter())
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw toAppError(error)
  } finally {
    end(client)
  }
}

/** Brings the schema up to date, in one process at a time. */
export async function migratePostgres(client: ClientBase, url: string): Promise<void> {
  if (await isUpToDate(client)) return
  await underLease(client, async () => {
    if (!(await isUpToDate(client))) await migrate(url)
  })
}
