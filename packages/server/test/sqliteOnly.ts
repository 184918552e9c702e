import { test } from 'vitest'
import { onPostgres } from './harnessDatabase.ts'

/** The tests that are about SQLite itself, and why; every other one runs on both databases. */
const reasons = {
  plans: 'The words of SQLite’s planner, for the plans it makes.',
  changes: 'SQLite counts every row that a connection has changed; PostgreSQL tells nobody so exactly.',
} as const

/** A test that is left out on PostgreSQL, for one of the reasons there are. */
export const sqliteTest =
  (_reason: keyof typeof reasons) =>
  (name: string, run: () => Promise<void>): void =>
    test.skipIf(onPostgres)(name, run)
