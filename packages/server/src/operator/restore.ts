import { existsSync, statSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { audit } from '../core/audit/audit.ts'
import { type AuditKey, loadAuditKey } from '../core/audit/signingKey.ts'
import { readPublicKey } from '../auditVerifier/signatures.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { ConfigError } from '../core/config/config.ts'
import type { Config } from '../core/config/types.ts'
import { openDb } from '../core/database/database.ts'
import type { Db, Tx } from '../core/database/types.ts'
import { databasePath, isHalfRestored, makeDataDir, restoringPath, syncPath } from '../core/dataFolder/dataFolder.ts'
import { errorText } from '../core/log.ts'
import { markRestored } from '../core/mail/silence.ts'
import { lockDataDir } from '../core/dataFolder/lock.ts'
import { loadSecrets } from '../core/secrets/secrets.ts'
import { copyDurably, manifest, type Manifest, measure, signedText } from './backupFiles.ts'
import { checkLog } from './auditCheck.ts'
import { importFiles } from './importFiles.ts'
import { openObjects } from './objects.ts'
import { Refusal } from './operator.ts'
import { copyToPostgres, prepareEmpty } from './postgresRestore.ts'

export interface Restored {
  dataDir: string
  madeAt: string
  objects: number
  auditEntries: number
  sessionsEnded: number
  invitationsRevoked: number
  approvalsClosed: number
}

/** Names allowed in a folder that counts as empty, because the secret is put there first. */
const allowedNames = new Set(['server-secret', 'lock.db', 'lock.db-journal'])

/** Throws unless the folder is empty; clears the remains of an interrupted restore. */
async function makeEmpty(dataDir: string): Promise<void> {
  const remaining = (await readdir(dataDir)).filter((name) => !allowedNames.has(name))
  if (remaining.length > 0 && !isHalfRestored(dataDir))
    throw new Refusal(`The data folder ${dataDir} is not empty: a backup can only be restored into an empty folder.`)
  for (const name of remaining) await rm(join(dataDir, name), { recursive: true, force: true })
}

/**
 * Whether there is a file at the path; follows links. Throws for a folder, and for a pipe or a device, whose end a
 * reader may never reach.
 */
function isThere(path: string, what: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === false) throw new Refusal(`${what} is not a regular file.`)
  return found !== undefined
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  const text = isThere(path, `The manifest.json of ${folder}`)
    ? await readFile(path, 'utf8').catch(() => undefined)
    : undefined
  if (text === undefined) throw new Refusal(`${folder} is not a backup: it has no manifest.json.`)
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    throw new Refusal(`The manifest.json of ${folder} does not belong to this version.`)
  }
}

async function checkFile(path: string, expected: { bytes: number; sha256: string }, what: string): Promise<void> {
  const found = isThere(path, `${what} of the backup`) ? await measure(path) : undefined
  if (found === undefined) throw new Refusal(`${what} is missing in the backup.`)
  if (found.sha256 !== expected.sha256 || found.bytes !== expected.bytes)
    throw new Refusal(`${what} does not match the backup: it was altered or damaged.`)
}

async function checkFiles(folder: string, { database, objects }: Manifest): Promise<void> {
  await checkFile(databasePath(folder), database, 'The database')
  for (const object of objects) await checkFile(join(folder, 'objects', object.id), object, `The file ${object.id}`)
}

/** Copies the database and verifies the copy, because the original may be written to meanwhile. */
async function copyDatabase(folder: string, made: Manifest, database: string): Promise<void> {
  await copyDurably(databasePath(folder), database)
  await chmod(database, 0o600)
  await checkFile(database, made.database, 'The database')
}

async function checkDatabase(db: Db, { objects, gone }: Manifest): Promise<void> {
  const [integrity] = await db.read.all<{ integrity_check: string }>('pragma integrity_check')
  if (integrity?.integrity_check !== 'ok') throw new Refusal('The database of the backup is damaged.')
  if ((await db.read.all('pragma foreign_key_check')).length > 0)
    throw new Refusal('The database of the backup refers to rows that are not there.')
  const stored = new Set([...objects.map(({ id }) => id), ...gone])
  const named = await db.read.all<{ id: string }>(
    'select id from files union select id from uploads where finished_at is not null',
  )
  const missing = named.find(({ id }) => !stored.has(id))
  if (missing !== undefined) throw new Refusal(`The file ${missing.id} is missing in the backup.`)
}

/** Verifies that the server with this secret signed the list of hashes, and thereby every file in it. */
function checkSignature(made: Manifest, { publicKey }: AuditKey): void {
  if (readPublicKey(publicKey)?.verifies(signedText(made), made.signature) !== true)
    throw new Refusal('The manifest.json was not signed by the server: the backup was altered.')
}

type Closed = Pick<Restored, 'sessionsEnded' | 'invitationsRevoked' | 'approvalsClosed'>

/** Tables of sessions and sign-ins under way, beside the sessions of members. */
const signInTables = ['founder_sessions', 'founder_tickets', 'sign_in_tickets', 'passkey_challenges']

/** Revokes sessions, invitations and downloads: they may have been used or revoked since the backup. */
async function revokeAccess(tx: Tx, now: number): Promise<Closed> {
  const { changes: sessionsEnded } = await tx.run('delete from sessions')
  for (const table of signInTables) await tx.run(`delete from ${table}`)
  const { changes: invitationsRevoked } = await tx.run(
    'update invitations set revoked_at = ? where used_at is null and revoked_at is null',
    [now],
  )
  // Otherwise the server would return unfinished downloads to their authorizations at its start.
  await tx.run('delete from file_downloads where finished_at is null')
  const { changes: approvalsClosed } = await tx.run(
    `update file_authorizations set downloads_left = 0, grant_epoch_to = null, grant_sealed_key = null,
       grant_signature = null where status = 'authorized' and downloads_left > 0`,
  )
  return { sessionsEnded, invitationsRevoked, approvalsClosed }
}

/** Verifies a copy of the database as a server would open it. Returns the number of entries in its audit log. */
async function checkCopy(db: Db, config: Config, made: Manifest, clock: Clock): Promise<number> {
  await checkDatabase(db, made)
  const key = await loadAuditKey(db, await loadSecrets(config.dataDir, config.serverSecret))
  const verdict = await checkLog(db, key, clock.now())
  if (verdict?.problem !== undefined)
    throw new Refusal(`The audit log of the backup is not whole: ${verdict.problem.sentence}`)
  checkSignature(made, key)
  return verdict?.entries ?? 0
}

const openCopy = (path: string) => openDb(path, { onError: (error) => console.error(errorText(error)) })

/** Verifies the copy, then makes it fit to be served: revokes access, marks it as restored, and audits that. */
async function adopt(
  config: Config,
  path: string,
  made: Manifest,
  clock: Clock,
): Promise<Closed & Pick<Restored, 'auditEntries'>> {
  const db = await openCopy(path)
  try {
    const auditEntries = await checkCopy(db, config, made, clock)
    const closed = await db.write(async (tx) => {
      const { sessionsEnded, ...others } = await revokeAccess(tx, clock.now())
      // Processes that ran when the backup was made.
      for (const table of ['leases', 'processes']) await tx.run(`delete from ${table}`)
      await markRestored(tx)
      const details = { madeAt: made.madeAt, entries: auditEntries, ...others }
      await audit(tx, { action: 'backup_restored', actorId: 'operator', details, at: clock.now() })
      return { sessionsEnded, ...others }
    })
    await db.purgeDeletedRows()
    return { auditEntries, ...closed }
  } finally {
    await db.close()
  }
}

function assertSecret({ dataDir, serverSecret }: Config): void {
  if (serverSecret === undefined && !existsSync(join(dataDir, 'server-secret')))
    throw new Refusal(`Put the file server-secret of that server into ${dataDir} first, or set SERVER_SECRET.`)
}

const toRefusal = (error: unknown) =>
  error instanceof ConfigError ? new Refusal('The secret does not belong to this backup.') : error

export type CheckedBackup = Pick<Restored, 'madeAt' | 'objects' | 'auditEntries'>

/** Runs all checks of a restore on a temporary copy of the database. Changes neither the backup nor any data. */
export async function checkBackup(config: Config, from: string, clock: Clock = systemClock): Promise<CheckedBackup> {
  const folder = resolve(from)
  const made = await readManifest(folder)
  assertSecret(config)
  await checkFiles(folder, made)
  const temporary = await mkdtemp(join(tmpdir(), 'privity-check-'))
  try {
    await copyDatabase(folder, made, databasePath(temporary))
    const db = await openCopy(databasePath(temporary))
    try {
      const auditEntries = await checkCopy(db, config, made, clock)
      return { madeAt: new Date(made.madeAt).toISOString(), objects: made.objects.length, auditEntries }
    } finally {
      await db.close()
    }
  } catch (error) {
    throw toRefusal(error)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Restores into an empty data folder, all or nothing: the database gets its name once everything else is verified. */
export async function restore(config: Config, from: string, clock: Clock = systemClock): Promise<Restored> {
  const [folder, { dataDir }] = [resolve(from), config]
  const made = await readManifest(folder)
  makeDataDir(dataDir)
  assertSecret(config)
  const unlock = lockDataDir(dataDir)
  const database = restoringPath(dataDir)
  try {
    // Checked first: after an interrupted restore that had filled the database, the files in the folder belong to it.
    if (config.postgres !== undefined) await prepareEmpty(config.postgres.url)
    await makeEmpty(dataDir)
  } catch (error) {
    unlock()
    throw error
  }
  try {
    await checkFiles(folder, made)
    // Copied first: under this name it marks the folder as partially restored.
    await copyDatabase(folder, made, database)
    const adopted = await adopt(config, database, made, clock)
    // Only verified files of the server may enter a bucket that other programs may share.
    const undo = await importFiles(await openObjects(config), join(folder, 'objects'), made.objects)
    try {
      if (config.postgres === undefined) await rename(database, databasePath(dataDir))
      else await copyToPostgres(database, config.postgres.url)
    } catch (error) {
      await undo()
      throw error
    }
    for (const name of [database, `${database}-wal`, `${database}-shm`]) await rm(name, { force: true })
    await syncPath(dataDir)
    const madeAt = new Date(made.madeAt).toISOString()
    return { dataDir, madeAt, objects: made.objects.length, ...adopted }
  } catch (error) {
    for (const name of await readdir(dataDir))
      if (!allowedNames.has(name)) await rm(join(dataDir, name), { recursive: true, force: true })
    throw toRefusal(error)
  } finally {
    unlock()
  }
}
