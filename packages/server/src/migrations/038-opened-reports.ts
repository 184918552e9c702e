import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

/** The founder's session that a report was fetched in last: its list asks again and again, and leaves one entry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, ['alter table message_flags add column opened_in text'])
}
