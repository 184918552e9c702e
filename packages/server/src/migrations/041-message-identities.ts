import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

/** The identity key of a message's sender, in force when it was sent: its receipt binds it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, ['alter table messages add column identity_key text'])
}
