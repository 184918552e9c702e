import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  'alter table notifications add column change text',
  'alter table notifications add column failures integer',
  `update notifications set kind = 'account_changed', change = 'totp_replaced' where kind = 'authenticator_replaced'`,
]

/** Stores the kind of an account change, and the number of failed sign-ins before a success. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
