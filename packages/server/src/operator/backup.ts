import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { audit } from '../core/audit/audit.ts'
import type { Config } from '../core/config/types.ts'
import { version } from '../core/config/config.ts'
import { databasePath, syncPath } from '../core/dataFolder/dataFolder.ts'
import { type Contents, type Manifest, measure, signedText } from './backupFiles.ts'
import { copyFromPostgres } from './postgresBackup.ts'
import { type Objects, openObjects } from './objects.ts'
import { type Operator, Refusal } from './operator.ts'

export interface BackedUp {
  folder: string
  databaseBytes: number
  objects: number
  /** Files that are still valid but missing from the storage. */
  missing: number
}

/** Copies all pages in one step: a copy in several starts again with every write of the running server. */
const allPages = 2 ** 31 - 1

/** Returns the ids of the files that the copy names. The copy is left without a write-ahead log beside it. */
function filesIn(path: string): string[] {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
    const rows = database
      .prepare('select id from files union select id from uploads where finished_at is not null order by id')
      .all() as { id: string }[]
    return rows.map(({ id }) => id)
  } finally {
    database.close()
  }
}

async function copyObjects(
  from: Objects,
  to: string,
  ids: readonly string[],
): Promise<Pick<Contents, 'objects' | 'gone'>> {
  const objects: Contents['objects'] = []
  const gone: string[] = []
  for (const id of ids) {
    const target = join(to, id)
    if (!(await from.copyOut(id, target))) {
      await rm(target, { force: true })
      gone.push(id)
      continue
    }
    await chmod(target, 0o600)
    objects.push({ id, ...(await measure(target)) })
  }
  return { objects, gone }
}

/** Copies the database as it was at one moment. A backup has the same form for both databases. */
async function copyRows({ dataDir, postgres }: Config, copy: string): Promise<void> {
  if (postgres !== undefined) return copyFromPostgres(postgres.url, copy)
  const source = new DatabaseSync(databasePath(dataDir), { readOnly: true })
  try {
    await copyDatabase(source, copy, { rate: allPages })
  } finally {
    source.close()
  }
}

async function fill(operator: Operator, folder: string): Promise<Manifest> {
  const { config, clock, auditKey } = operator
  const copy = databasePath(folder)
  const madeAt = clock.now()
  await copyRows(config, copy)
  await chmod(copy, 0o600)
  // Copied after the database: every file that it names was complete by then.
  await mkdir(join(folder, 'objects'), { mode: 0o700 })
  const copied = await copyObjects(await openObjects(config), join(folder, 'objects'), filesIn(copy))
  await syncPath(copy)
  const contents: Contents = {
    format: 'privity-backup/v1',
    version,
    madeAt,
    database: await measure(copy),
    ...copied,
    auditKey: auditKey.publicKey,
  }
  const manifest: Manifest = { ...contents, signature: auditKey.sign(signedText(contents)) }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  for (const name of ['manifest.json', 'objects', '.']) await syncPath(join(folder, name))
  return manifest
}

/** Returns the missing files that were not destroyed on purpose, by their expiry or with their connection. */
async function selectLost({ db, clock }: Operator, gone: readonly string[]): Promise<string[]> {
  const lost: string[] = []
  for (const id of gone) {
    const row = await db.read.get(
      `select 1 from files where id = ? and expires_at > ?
         and (connection_id is null or connection_id in (select id from connections))`,
      [id, clock.now()],
    )
    if (row !== undefined) lost.push(id)
  }
  return lost
}

/** Writes a backup, which gets its name only once it is complete. It does not contain the server's secret. */
export async function backUp(operator: Operator, path: string): Promise<BackedUp> {
  const folder = resolve(path)
  if (existsSync(folder) && (await readdir(folder)).length > 0) throw new Refusal(`${folder} is not empty.`)
  await mkdir(dirname(folder), { recursive: true })
  // A unique name: anything else there belongs to somebody else, or to another backup being made.
  const partial = await mkdtemp(`${folder}.partial-`)
  try {
    const { database, objects, gone } = await fill(operator, partial)
    const lost = await selectLost(operator, gone)
    if (lost.length > 0 && objects.length === 0)
      throw new Refusal(
        `None of the files is in the storage, for example ${lost[0]}: are DATA_DIR, S3_BUCKET and S3_PREFIX those of the server?`,
      )
    const made = { objects: objects.length, missing: lost.length }
    // Audited first, so that no backup exists without an entry.
    await operator.db.write((tx) =>
      audit(tx, { action: 'backup_made', actorId: 'operator', details: made, at: operator.clock.now() }),
    )
    if (existsSync(folder)) await rmdir(folder)
    await rename(partial, folder)
    await syncPath(dirname(folder))
    return { folder, databaseBytes: database.bytes, ...made }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}
