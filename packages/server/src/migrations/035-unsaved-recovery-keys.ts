import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // 1 from the sign-up that shows a recovery key until somebody says that he saved it; of those from before nothing is known.
  'alter table users add column recovery_key_unsaved integer not null default 0',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
