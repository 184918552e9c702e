import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  `create table alert_settings (
    id integer primary key not null check (id = 1),
    email_address text,
    sms_phone_number text,
    alert_types text not null,
    changed_at integer not null
  ) strict`,
  `create table alerts (
    id text primary key not null,
    type text not null,
    kind text not null check (kind in ('alert', 'digest', 'test')),
    subject text not null,
    address text,
    event_count integer,

    held_back integer not null default 0,
    created_at integer not null
  ) strict`,
  'create index alerts_by_time on alerts (created_at)',
  `create table alert_deliveries (
    alert_id text not null references alerts (id) on delete cascade,
    channel text not null check (channel in ('email', 'sms', 'log')),
    state text not null check (state in ('waiting', 'sent', 'failed', 'logged')),
    reason text,
    failures integer not null default 0,
    next_at integer,
    primary key (alert_id, channel)
  ) strict, without rowid`,
  "create index alert_deliveries_due on alert_deliveries (next_at) where state = 'waiting'",
  // What happens again while a window is open is counted in it, and told when it ends.
  `create table alert_windows (
    type text not null,
    subject text not null,
    opened_at integer not null,
    held_back integer not null default 0,
    primary key (type, subject)
  ) strict, without rowid`,
  'create index alert_windows_by_time on alert_windows (opened_at)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
