import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type AuditKey, loadAuditKey } from '../core/auditKey.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { type Db, openDb } from '../core/db.ts'
import { DataDirInUse, lockDataDir } from '../core/lock.ts'
import { carryKeys, nextSecret, settleRotation } from '../core/secretRotation.ts'
import { createSecrets, type Secrets } from '../core/secrets.ts'
import { migrations } from '../migrations/list.ts'
import { Refusal } from './refusal.ts'

/** The data folder, opened for one command. */
export interface Operator {
  config: Config
  clock: Clock
  db: Db
  secrets: Secrets
  auditKey: AuditKey
  close(): Promise<void>
}

export const databaseOf = (dataDir: string) => join(dataDir, 'privity.db')

/** Undefined where a server holds the folder and the command may run beside it. */
function lock(dataDir: string, alone: boolean): (() => void) | undefined {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    if (alone) throw new Refusal(`This needs the data folder ${dataDir} for itself: stop the server first.`)
    return undefined
  }
}

/** Under a running server of another version nothing may change the form of the database. */
function refuseOtherVersion(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const done = database.prepare('select name from kysely_migration').all() as { name: string }[]
    const wanted = Object.keys(migrations).sort()
    if (
      done
        .map(({ name }) => name)
        .sort()
        .join() !== wanted.join()
    )
      throw new Refusal('The running server is of another version than this command: stop it first.')
  } finally {
    database.close()
  }
}

/** `alone`: the command must not run while a server does. */
export async function openOperator(config: Config, alone: boolean, clock: Clock = systemClock): Promise<Operator> {
  const { dataDir, serverSecret } = config
  const path = databaseOf(dataDir)
  if (!existsSync(path)) throw new Refusal(`There is no Privity data in ${dataDir}. Set DATA_DIR to the data folder.`)
  const unlock = lock(dataDir, alone)
  let db: Db | undefined
  try {
    if (unlock === undefined) refuseOtherVersion(path)
    db = await openDb(path, { onError: (error) => console.error(error) })
    if (unlock !== undefined) await settleRotation(dataDir, db)
    else if (existsSync(nextSecret(dataDir)))
      throw new Refusal('The secret is just being rotated: try again when it is done.')
    if (serverSecret === undefined && !existsSync(join(dataDir, 'server-secret')))
      throw new Refusal(`The file server-secret is missing in ${dataDir}: put it back, or set SERVER_SECRET.`)
    const secrets = createSecrets(dataDir, serverSecret)
    const auditKey = await loadAuditKey(db, secrets)
    await carryKeys(db, secrets)
    const opened = db
    return {
      config,
      clock,
      db,
      secrets,
      auditKey,
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
