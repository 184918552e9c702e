import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // An app that is being set up, beside the one in use that it may come to replace.
  `create table authenticator_setups (
    user_id text primary key not null references users (id) on delete cascade,
    secret text not null,
    created_at integer not null,
    session_id text not null
  ) strict`,
  `insert into authenticator_setups (user_id, secret, created_at, session_id)
   select user_id, secret, created_at, session_id from authenticator_apps
   where confirmed_at is null and session_id is not null`,
  'delete from authenticator_apps where confirmed_at is null',
  'alter table authenticator_apps drop column session_id',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
