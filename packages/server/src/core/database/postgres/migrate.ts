import { PostgresAdapter } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { ClientBase } from 'pg'
import { toAppError } from '../errors.ts'
import type { Migrations } from '../../../migrations/list.ts'
import { type Beat, probeLiveness } from '../processHeartbeat.ts'
import { createUnusableError } from './check.ts'
import { connect, end, sessionTimeouts, runOn } from './connect.ts'
import { createKysely, type Query } from './statements.ts'
import { runWithMigrationLease } from './migrationLease.ts'

/** Kysely's own adapter takes an advisory lock, which not every engine has. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
}

async function hasTable(client: ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: number }>(
    'select count(*) as found from information_schema.tables where table_name = $1 and table_schema = current_schema()',
    [table],
  )
  return rows[0]?.found === 1
}

/** Returns the names of pending migrations. Throws if a newer version has changed the database. */
async function findPendingMigrations(client: ClientBase, url: string, migrations: Migrations): Promise<string[]> {
  const { rows } = (await hasTable(client, 'kysely_migration'))
    ? await client.query<{ name: string }>('select name from kysely_migration order by name')
    : { rows: [] }
  const done = new Set(rows.map(({ name }) => name))
  const newer = [...done].filter((name) => !(name in migrations))
  if (newer.length > 0)
    throw createUnusableError(
      url,
      `was changed by a newer version of this program (${newer.join(', ')}). Start that version; the way back is a backup.`,
    )
  return Object.keys(migrations).filter((name) => !done.has(name))
}

/** Throws if any process is alive, for a migration after which the previous release could not continue. */
async function assertNoOtherProcesses(client: ClientBase, url: string): Promise<void> {
  if (!(await hasTable(client, 'processes'))) return
  const beats = async () => (await client.query<Beat>('select id, beat from processes')).rows
  if ((await probeLiveness(beats)).isAnyAlive)
    throw createUnusableError(
      url,
      'is in use by servers that cannot go on with what this version changes in it. Stop all of them, then start this one.',
    )
}

/** Runs all pending migrations in one transaction: if the process is killed, nothing has changed. */
async function migrate(url: string, migrations: Migrations): Promise<void> {
  const client = await connect(url, sessionTimeouts.long)
  const query: Query = (sql, params) => runOn(client, { text: sql, name: undefined }, params, sessionTimeouts.long)
  try {
    const db = createKysely(query, () => new UnlockedAdapter())
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw toAppError(error)
  } finally {
    end(client)
  }
}

/** Migrates the schema to the latest version, in one process at a time. */
export async function migratePostgres(client: ClientBase, url: string, migrations: Migrations): Promise<void> {
  if ((await findPendingMigrations(client, url, migrations)).length === 0) return
  await runWithMigrationLease(client, async () => {
    const pending = await findPendingMigrations(client, url, migrations)
    if (pending.length === 0) return
    if (pending.some((name) => migrations[name]?.alone === true)) await assertNoOtherProcesses(client, url)
    await migrate(url, migrations)
  })
}
