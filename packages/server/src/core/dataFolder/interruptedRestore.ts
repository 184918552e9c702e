import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/config.ts'

/** The database of an unfinished restore: it is renamed once everything has been verified. */
export const restoringIn = (dataDir: string) => join(dataDir, 'privity.db.restoring')

export const isHalfRestored = (dataDir: string): boolean =>
  existsSync(restoringIn(dataDir)) && !existsSync(join(dataDir, 'privity.db'))

/** Throws after an interrupted restore: a server would create an empty database and destroy every file. */
export function assertNoInterruptedRestore(dataDir: string): void {
  if (isHalfRestored(dataDir))
    throw new ConfigError([`A restore into ${dataDir} was cut off in the middle. Run it again, then start the server.`])
}
