import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config/config.ts'
import { isFull } from '../database/errors.ts'

/** The SQLite database in a data folder or a backup. */
export const databasePath = (folder: string): string => join(folder, 'privity.db')

/** The file that a process locks while it uses the data folder. */
export const lockPath = (dataDir: string): string => join(dataDir, 'lock.db')

const reasons: Record<string, string> = {
  EEXIST: 'it, or a folder above it, is a file.',
  ENOTDIR: 'it, or a folder above it, is a file.',
  EACCES: 'this user may not write there.',
  EPERM: 'this user may not write there.',
  EROFS: 'that file system is read-only.',
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function ignoreExisting(create: () => void, isThere: () => boolean): void {
  try {
    create()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isThere()) throw error
  }
}

/** Creates folder by folder, because mkdir with `recursive` never returns for a path in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  // Another process may create it at the same time.
  ignoreExisting(
    () => mkdirSync(path, { mode: 0o700 }),
    () => isFolder(path),
  )
}

/** Creates the data folder if it is absent. Throws a ConfigError if files cannot be created in it. */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const lock = lockPath(dataDir)
    ignoreExisting(
      () => closeSync(openSync(lock, 'wx', 0o600)),
      () => true,
    )
  } catch (error) {
    if (isFull(error)) throw error
    const reason = reasons[String((error as NodeJS.ErrnoException).code)] ?? 'no file can be created there.'
    throw new ConfigError([`DATA_DIR is ${dataDir}: ${reason} Set it to a folder that this user may write to.`])
  }
}

/** The database of an unfinished restore: it is renamed once everything has been verified. */
export const restoringPath = (dataDir: string): string => join(dataDir, 'privity.db.restoring')

export const isHalfRestored = (dataDir: string): boolean =>
  existsSync(restoringPath(dataDir)) && !existsSync(databasePath(dataDir))

/** Throws after an interrupted restore: a server would create an empty database and destroy every file. */
export function assertNoInterruptedRestore(dataDir: string): void {
  if (isHalfRestored(dataDir))
    throw new ConfigError([`A restore into ${dataDir} was cut off in the middle. Run it again, then start the server.`])
}

/** A full disk prevented the start. */
export class NoSpaceLeft extends Error {
  constructor(dataDir: string, cause: unknown) {
    super(`The server cannot start: the disk of ${dataDir} or of the database is full. Free some space first.`, {
      cause,
    })
    this.name = 'NoSpaceLeft'
  }
}

/** Syncs a file, or a directory: then its created and renamed entries survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
