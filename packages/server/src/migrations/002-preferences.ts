import { type Kysely, sql } from 'kysely'

const statements = [
  `create table preferences (
    user_id text primary key not null references users (id) on delete cascade,
    chosen text not null
  ) strict`,
  "alter table organizations add column policy text not null default '{}'",
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
