import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  `create table preferences (
    user_id text primary key not null references users (id) on delete cascade,
    chosen text not null
  ) strict`,
  "alter table organizations add column policy text not null default '{}'",
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
