import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // Whose sign-in failed, where nobody has the name: a keyed hash, so that attempts at one name are known to be at one.
  'alter table security_events add column account text',
  // What an address did, found however long the logs are.
  'create index security_events_by_address on security_events (address, created_at) where address is not null',
  'create index audit_addresses_by_address on audit_addresses (address, created_at)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
