import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // When password and second factor were last shown in it; null: in none that was there before.
  'alter table founder_sessions add column confirmed_at integer',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
