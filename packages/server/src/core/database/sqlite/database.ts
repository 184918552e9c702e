import { mkdirSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations as released, type Migrations } from '../../../migrations/list.ts'
import { createCheckpoints } from './checkpoints.ts'
import type { Db, DbOptions, Tx, Value } from '../types.ts'
import { isCollision, isFull, toAppError } from '../errors.ts'
import { createGroupCommit, type Writer } from '../groupCommit.ts'
import { createAdaptiveSync } from './adaptiveSync.ts'
import type { Schema } from '../schema.ts'
import { makeOwnerOnly, openSqlite, type Sqlite } from './driver.ts'

/**
 * `synchronous` is NORMAL because `write` syncs the log itself before it resolves; FULL would block the thread that
 * serves requests. SQLite's own checkpoint (`wal_autocheckpoint`) is a fallback if the checkpoint thread fails.
 */
function open(path: string): Sqlite {
  const database = openSqlite(path)
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = NORMAL',
    'secure_delete = ON',
    'foreign_keys = ON',
    'wal_autocheckpoint = 64000',
    'cache_size = -32000',
  ]) {
    database.exec(`pragma ${pragma}`)
  }
  return database
}

function createStatements({ prepare, close }: Pick<Sqlite, 'prepare' | 'close'>): Omit<Tx, 'afterCommit'> {
  return {
    kysely: new Kysely<Schema>({ dialect: new SqliteDialect({ database: { prepare, close } }) }),
    get: async <T>(sql: string, params: readonly Value[] = []) => prepare(sql).get(params) as T | undefined,
    all: async <T>(sql: string, params: readonly Value[] = []) => prepare(sql).all(params) as T[],
    run: async (sql: string, params: readonly Value[] = []) => prepare(sql).run(params),
    async runRows(text, rows) {
      const { run } = prepare(text(1))
      for (const row of rows) run(row)
    },
  }
}

const maxCollisions = 40

/**
 * `moveLog` moves the log into the database, so that the next batch is written where the log begins; false if it fails.
 */
function createWriter(database: Sqlite, sync: () => Promise<void>, moveLog: () => Promise<boolean>): Writer {
  let lastChanges = 0
  const statements = createStatements(database)
  const exec = async (sql: string) => void (await statements.run(sql))
  return {
    statements,
    begin: () => exec('begin immediate'),
    canShare: () => true,
    commit: () => exec('commit'),
    async rollback() {
      // Checked first: on a full disk SQLite rolls back by itself, and a failing rollback would hide the cause.
      if (database.inTransaction()) await exec('rollback')
    },
    // A failed statement undoes only itself, and no other process writes at the same time.
    failure: () => undefined,
    async canRepeat(error, tries) {
      // The log may hold the last space of a full disk: without it, nothing could be written again, nor be deleted.
      if (isFull(error)) return tries === 0 && moveLog()
      // The only collision here is that of `createCollision`: work that found its cached data outdated.
      return isCollision(error) && tries < maxCollisions
    },
    hasWritten() {
      const before = lastChanges
      lastChanges = database.changes()
      // On a full disk SQLite rolls back by itself. That counts as a change, so the rest of the batch is written again.
      return lastChanges !== before || !database.inTransaction()
    },
    sync,
  }
}

/** Runs all pending migrations in one transaction, which Kysely's migrator does not use on SQLite. */
async function migrate(database: Sqlite, kysely: Kysely<Schema>, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => ({ ...migrations }) } })
  database.exec('begin')
  try {
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw toAppError(error)
    database.exec('commit')
  } catch (error) {
    // On a full disk SQLite rolls back by itself.
    if (database.inTransaction()) database.exec('rollback')
    throw toAppError(error)
  }
}

/** Empties the log of a killed process, which may hold deleted bytes; on a full disk they stay until there is space. */
function truncateLog(database: Sqlite): void {
  try {
    database.exec('pragma wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!isFull(error)) throw error
  }
}

/**
 * A checkpoint runs after this many rows or batches, which bounds the log to about 20 MB: a small log is overwritten in
 * place, which is faster than appending to it. Batches count because even one row takes whole pages.
 */
const rowsPerCheckpoint = 8000
const batchesPerCheckpoint = 500

/** Opens and migrates the SQLite database at `path`, created if absent. */
export async function openSqliteDb(
  path: string,
  { onError, onUncertain, watch, syncLog, migrations = released }: DbOptions,
): Promise<Db> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  makeOwnerOnly(path)
  const database = open(path)
  const checkpoints = createCheckpoints(path)
  const moveLog = () =>
    checkpoints.run('PASSIVE').then(
      () => true,
      () => false,
    )
  const writer = createWriter(database, syncWritten, moveLog)
  try {
    await migrate(database, writer.statements.kysely, migrations)
    truncateLog(database)
  } catch (error) {
    database.close()
    throw error
  }
  const reader = open(path)
  reader.exec('pragma query_only = ON')
  const { kysely, get, all } = createStatements(reader)
  // SQLite's locks are on other files, so closing this one releases none.
  const log = await openFile(`${path}-wal`, 'r+')
  const sync = syncLog === undefined ? createAdaptiveSync(log) : () => syncLog(log)
  const commits = createGroupCommit(writer, { onError, onUncertain }, watch)
  let holdsDeleted = false
  let synced = 0
  let checkpointed = 0
  let batches = 0
  let checkpointing = false

  async function syncWritten(): Promise<void> {
    const written = database.changes()
    await sync(written - synced)
    synced = written
    batches += 1
    if (checkpointing || (written - checkpointed < rowsPerCheckpoint && batches < batchesPerCheckpoint)) return
    checkpointing = true
    void checkpoint('PASSIVE')
      .catch(onError)
      .finally(() => (checkpointing = false))
  }

  /** The first pass runs beside writes. The second blocks them, but is short: it moves only what changed since. */
  async function checkpoint(finalMode: 'PASSIVE' | 'TRUNCATE'): Promise<void> {
    checkpointed = database.changes()
    batches = 0
    await checkpoints.run('PASSIVE')
    await commits.runBetween(() => checkpoints.run(finalMode))
  }

  return {
    read: { kysely, get, all },
    write: commits.write,
    async purgeDeletedRows() {
      holdsDeleted = false
      try {
        await checkpoint('TRUNCATE')
      } catch (error) {
        holdsDeleted = true
        throw error
      }
    },
    emptyLogSoon: () => void (holdsDeleted = true),
    holdsDeleted: () => holdsDeleted,
    async close() {
      await commits.finish()
      await checkpoints.close()
      reader.close()
      database.close()
      await log.close()
    },
  }
}
