import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  `create table connection_endings (
    connection_id text primary key not null,
    user_id text not null,
    contact_id text not null,
    actor_id text,
    actor_organization text,
    target_id text not null,
    target_organization text not null,
    address text,
    is_account_told integer not null,
    had_notifications integer not null
  ) strict`,
  'create index connection_endings_by_user on connection_endings (user_id)',
]

/** Connections that ended with an account, until the log and the contact are told of each: a few at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
