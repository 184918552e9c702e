import type { Migration } from 'kysely/migration'
import * as initial from './001-initial.ts'

export interface Step extends Migration {
  /**
   * Set for a migration that removes something the previous release needs: it is refused while other processes run.
   * Every other migration only adds, so old processes keep serving while a new one migrates.
   */
  readonly alone?: boolean
}

export type Migrations = Readonly<Record<string, Step>>

/** Every released migration, by name; they run in the order of their names. */
export const migrations: Migrations = {
  '001-initial': initial,
}
