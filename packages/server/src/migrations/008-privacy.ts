import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const day = 24 * 60 * 60 * 1000

const statements = [
  `alter table sessions add column idle_limit integer not null default ${day}`,
  'drop index sessions_by_last_use',
  'create index sessions_by_end on sessions ((last_used_at + idle_limit))',
  'create index security_events_by_user on security_events (user_id, created_at) where user_id is not null',
  'create index audit_log_by_actor on audit_log (actor_id, seq)',
  'alter table connections add column shown_read_seq_1 integer not null default 0',
  'alter table connections add column shown_read_seq_2 integer not null default 0',
  // Until now everyone was told of every reading.
  'update connections set shown_read_seq_1 = read_seq_1, shown_read_seq_2 = read_seq_2',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
