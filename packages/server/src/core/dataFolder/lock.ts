import { isBusy } from '../database/errors.ts'
import { makeOwnerOnly, openSqlite } from '../database/sqlite/driver.ts'
import { lockPath } from './dataFolder.ts'

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(
      `Another Privity server is running on the data folder ${dataDir}, or a command of the operator is at work on it. ` +
        'Stop it first, or set DATA_DIR to another folder.',
    )
    this.name = 'DataDirInUse'
  }
}

/**
 * Locks the data folder for this process and returns the function that unlocks it. The lock is the operating system's,
 * on a small database file, so it ends with the process, even with one that is killed.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = lockPath(dataDir)
  makeOwnerOnly(path)
  const database = openSqlite(path, { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) throw new DataDirInUse(dataDir)
    throw error
  }
  return () => database.close()
}
