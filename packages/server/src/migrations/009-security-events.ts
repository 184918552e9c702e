import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  'alter table security_events add column client_id text',
  'alter table security_events add column occurred_at integer',
  `create unique index security_events_by_client_id on security_events (user_id, client_id)
    where client_id is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
