import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = ['alter table users add column password_version integer not null default 1']

/** Records the Argon2id cost under which the browser derived an account's password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
