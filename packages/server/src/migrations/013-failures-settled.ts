import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // Failed sign-ins up to here are settled: by a new password, or because the owner says that they were his.
  'alter table users add column failures_settled_at integer not null default 0',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
