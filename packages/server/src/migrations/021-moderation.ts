import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // HMAC by the sender's browser, on a text that it sends for the third time in a day or more.
  'alter table messages add column repetition text',
  // In the place of the index by expiry alone: a scan for suspicious sending reads nothing but this, and storing a
  // message writes no further index for it.
  'drop index messages_by_expiry',
  'create index messages_by_expiry on messages (expires_at, sender_id, connection_id, created_at, repetition)',
  `create table message_flags (
    id text primary key not null,
    rule text not null check (rule in ('rapid', 'bulk', 'repeated', 'report')),
    message_id text not null,
    sender_id text not null references users (id) on delete cascade,
    connection_id text not null,
    sent_at integer not null,
    sent_until integer not null,
    amount integer,
    repetition text,
    reporter_id text references users (id) on delete cascade,
    sealed_report text,
    report_key_id text,
    flagged_at integer not null,
    unflagged_at integer,
    expires_at integer not null,
    unique (message_id, rule)
  ) strict`,
  'create index message_flags_open on message_flags (rule, expires_at, unflagged_at) where unflagged_at is null',
  'create index message_flags_by_time on message_flags (flagged_at, id) where unflagged_at is null',
  'create index message_flags_by_expiry on message_flags (expires_at)',
  'create index message_flags_by_sender on message_flags (sender_id, rule, sent_at)',
  'create index message_flags_by_reporter on message_flags (reporter_id) where reporter_id is not null',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
