import { test, type TestAPI } from 'vitest'
import { onPostgres } from './testDatabase.ts'

/** Tests that are about SQLite itself, and the reasons; all other tests run on both databases. */
const reasons = {
  plans: 'The words of SQLite’s planner, for the plans it makes.',
  changes: 'SQLite counts every row that a connection has changed; PostgreSQL tells nobody so exactly.',
  'full disk':
    'A bound that SQLite is given for the test. cluster/database/postgres.cluster.ts has what PostgreSQL’s refusals become.',
  backups:
    'The copy of a SQLite file, and what is forged in it: cluster/operator/backups.cluster.ts has those of PostgreSQL.',
  log: 'Entries that no trigger keeps while they are forged: PostgreSQL’s are others, the signing is the same.',
  'data folder':
    'On SQLite the folder is the database, and its lock says whether a server runs: cluster/operator/commands.cluster.ts.',
} as const

/** Replaces `test` for a test that is skipped on PostgreSQL for one of these reasons. */
export const sqliteTest = (_reason: keyof typeof reasons): TestAPI => (onPostgres ? test.skip : test) as TestAPI
