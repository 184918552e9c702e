import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  `create table former_passwords (
    user_id text not null references users (id) on delete cascade,
    password_hash text not null,
    password_version integer not null,
    replaced_at integer not null,
    is_compromised integer not null default 0,
    primary key (user_id, password_hash)
  ) strict, without rowid`,
]

/** Keeps the hashes of an account's last passwords, so that replaced keys do not come back with one of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
