import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config/config.ts'

/** The SQLite database in a data folder or a backup. */
export const databasePath = (folder: string): string => join(folder, 'privity.db')

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
