import { type Kysely, sql } from 'kysely'

const statements = [
  // When password and second factor were last shown in it; null: in none that was there before.
  'alter table founder_sessions add column confirmed_at integer',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
