import { type Kysely, sql } from 'kysely'

const statements = [
  // At rest, and gone with the epoch: what a browser has sealed under the account key before it is good for as long.
  'alter table epochs add column wrapped_former_key text',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
