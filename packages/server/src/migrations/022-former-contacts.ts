import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // For a day: whoever was connected may still be blocked then. The name is the one of that time, as in blocks.
  `create table former_contacts (
    user_id text not null references users (id) on delete cascade,
    contact_id text not null references users (id) on delete cascade,
    first_name text not null,
    last_name text not null,
    ended_at integer not null,
    expires_at integer not null,
    primary key (user_id, contact_id)
  ) strict, without rowid`,
  'create index former_contacts_by_contact on former_contacts (contact_id)',
  'create index former_contacts_by_expiry on former_contacts (expires_at)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
