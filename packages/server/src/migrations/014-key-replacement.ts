import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // At rest, and gone with the epoch: what a browser has sealed under the account key before it is good for as long.
  'alter table epochs add column wrapped_former_key text',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
