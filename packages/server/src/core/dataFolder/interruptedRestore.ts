import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/config.ts'

/** The database of a restore under way: it gets its name when everything was checked. */
export const restoringIn = (dataDir: string) => join(dataDir, 'privity.db.restoring')

export const isHalfRestored = (dataDir: string): boolean =>
  existsSync(restoringIn(dataDir)) && !existsSync(join(dataDir, 'privity.db'))

/** A server would make an empty database there, and destroy the files that it does not name. */
export function refuseHalfRestored(dataDir: string): void {
  if (isHalfRestored(dataDir))
    throw new ConfigError([`A restore into ${dataDir} was cut off in the middle. Run it again, then start the server.`])
}
