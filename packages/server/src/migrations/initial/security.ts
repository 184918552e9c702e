import { numbered, type Statement } from '../ddl.ts'

const events: readonly Statement[] = [
  // account: a keyed hash of the name in a failed sign-in where no user has that name. It groups attempts at one name.
  numbered(`create table security_events (
    id text primary key not null,
    event_type text not null,
    event_description text,
    severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
    user_id text,
    account text,
    address text,
    page_url text,
    metadata text,
    session_id text,
    client_id text,
    occurred_at integer,
    created_at integer not null
  ) strict`),
  'create index security_events_by_time on security_events (created_at)',
  'create index security_events_by_user on security_events (user_id, created_at) where user_id is not null',
  'create index security_events_by_address on security_events (address, created_at) where address is not null',
  `create unique index security_events_by_client_id on security_events (user_id, client_id)
    where client_id is not null`,
]

const incidents: readonly Statement[] = [
  // Every process finds an incident; the one that inserts this row sends the alert.
  `create table told_incidents (
    id text primary key not null,
    last_seen integer not null
  ) strict, without rowid`,
  // severity and last_seen are those at the time of the acknowledgement.
  `create table incident_acknowledgements (
    incident_id text primary key,
    acknowledged_at integer not null,
    device text not null,
    note text,
    severity text not null,
    last_seen integer not null
  ) strict, without rowid`,
]

const moderation: readonly Statement[] = [
  // opened_in: the founder's session that fetched the report last, so one session leaves one entry in the audit log.
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
    opened_in text,
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

export const security: readonly Statement[] = [...events, ...incidents, ...moderation]
