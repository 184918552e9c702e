import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Beat, probeLiveness } from '../core/database/processHeartbeat.ts'
import { type AuditKey, loadAuditKey } from '../core/audit/signingKey.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Config } from '../core/config/types.ts'
import { openDb } from '../core/database/database.ts'
import type { Db } from '../core/database/types.ts'
import { errorText } from '../core/log.ts'
import { databasePath, makeDataDir } from '../core/dataFolder/dataFolder.ts'
import { DataDirInUse, lockDataDir } from '../core/dataFolder/lock.ts'
import { connect, end, sessionTimeouts } from '../core/database/postgres/connect.ts'
import { usePreservedKeys, nextSecretPath, completeRotation } from '../core/secrets/rotation.ts'
import { loadSecrets, type Secrets } from '../core/secrets/secrets.ts'
import { migrations } from '../migrations/list.ts'

/** An error that the operator can correct; only its message is shown. */
export class Refusal extends Error {}

/** Wrong use of the command line; the help is shown with the message. */
export class WrongUse extends Error {}

/** The data folder and database, opened for one command. */
export interface Operator {
  config: Config
  clock: Clock
  db: Db
  secrets: Secrets
  auditKey: AuditKey
  /** Processes that ended without deregistering; set for a command that runs alone on PostgreSQL. */
  silentProcesses: readonly Beat[] | undefined
  close(): Promise<void>
}

/** Locks the data folder; returns undefined if a server holds the lock and the command may run beside it. */
function lock(dataDir: string, alone: boolean): (() => void) | undefined {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    if (alone) throw new Refusal(`This needs the data folder ${dataDir} for itself: stop the server first.`)
    return undefined
  }
}

const doneMigrations = 'select name from kysely_migration'

function assertSameVersion(done: readonly { name: string }[]): void {
  const names = done.map(({ name }) => name).sort()
  if (names.join() !== Object.keys(migrations).sort().join())
    throw new Refusal('The running server is of another version than this command: stop it first.')
}

/** Throws if the running server is of another version, because opening the database would migrate it. */
function assertSameVersionInFile(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    assertSameVersion(database.prepare(doneMigrations).all() as { name: string }[])
  } finally {
    database.close()
  }
}

/** Like assertSameVersionInFile, but always checked: servers may be running on other machines. */
async function assertSameVersionOnServer(url: string): Promise<void> {
  const client = await connect(url, sessionTimeouts.long)
  try {
    const { rows } = await client.query<{ name: string }>(doneMigrations)
    assertSameVersion(rows)
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === '42P01'
    throw isMissing ? new Refusal('There is no Privity data in the database of DATABASE_URL yet.') : error
  } finally {
    end(client)
  }
}

export const createServersRunningError = () =>
  new Refusal('This needs the database for itself: stop every server first.')

async function assertNoServers(db: Db): Promise<Beat[]> {
  const { rows, isAnyAlive } = await probeLiveness(() => db.read.all<Beat>('select id, beat from processes'))
  if (isAnyAlive) throw createServersRunningError()
  return rows
}

/** Opens the data for a command. `alone`: throws if a server is running. */
export async function openOperator(config: Config, alone: boolean, clock: Clock = systemClock): Promise<Operator> {
  const { dataDir, serverSecret, postgres } = config
  const path = databasePath(dataDir)
  if (postgres === undefined && !existsSync(path))
    throw new Refusal(`There is no Privity data in ${dataDir}. Set DATA_DIR to the data folder.`)
  makeDataDir(dataDir)
  const unlock = lock(dataDir, alone)
  let db: Db | undefined
  try {
    if (postgres !== undefined) await assertSameVersionOnServer(postgres.url)
    else if (postgres === undefined && unlock === undefined) assertSameVersionInFile(path)
    db = await openDb(path, { onError: (error) => console.error(errorText(error)), postgres })
    const silentProcesses = postgres !== undefined && alone ? await assertNoServers(db) : undefined
    if (unlock !== undefined) await completeRotation(dataDir, db)
    else if (existsSync(nextSecretPath(dataDir)))
      throw new Refusal('The secret is just being rotated: try again when it is done.')
    if (serverSecret === undefined && !existsSync(join(dataDir, 'server-secret')))
      throw new Refusal(`The file server-secret is missing in ${dataDir}: put it back, or set SERVER_SECRET.`)
    const secrets = await loadSecrets(dataDir, serverSecret)
    const auditKey = await loadAuditKey(db, secrets)
    await usePreservedKeys(db, secrets)
    const opened = db
    return {
      config,
      clock,
      db,
      secrets,
      auditKey,
      silentProcesses,
      async close() {
        await opened.close()
        unlock?.()
      },
    }
  } catch (error) {
    await db?.close()
    unlock?.()
    throw error
  }
}
