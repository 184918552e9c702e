import type { Statement } from '../ddl.ts'
import { keepUsedSteps } from './secondFactor.ts'

const account: readonly Statement[] = [
  // See `sessions`.
  `create table founder_sessions (
    id text primary key not null,
    token_hash text not null unique,
    key_share text not null,
    former_token_hash text,
    former_until integer,
    created_at integer not null,
    last_used_at integer not null,
    confirmed_at integer,
    address text not null,
    device text not null
  ) strict`,
  'create index founder_sessions_by_last_use on founder_sessions (last_used_at)',
  `create table founder_devices (
    device text primary key not null,
    first_seen_at integer not null,
    last_seen_at integer not null
  ) strict, without rowid`,
  // At most one row.
  `create table founder_authenticator_app (
    id integer primary key not null check (id = 1),
    secret text not null,
    created_at integer not null,
    session_id text,
    confirmed_at integer,
    last_step integer not null default 0
  ) strict`,
  `create table founder_used_steps (
    app_id integer not null references founder_authenticator_app (id) on delete cascade,
    step integer not null,
    primary key (app_id, step)
  ) strict, without rowid`,
  ...keepUsedSteps('founder_authenticator_app', 'founder_used_steps', 'app_id', 'id'),
  'create table founder_recovery_codes (code_hash text primary key not null) strict, without rowid',
  `create table founder_tickets (
    token_hash text primary key not null,
    device text not null,
    verifier_hash text not null,
    expires_at integer not null
  ) strict, without rowid`,
  'create index founder_tickets_by_expiry on founder_tickets (expires_at)',
  `create table founder_report_keys (
    id text primary key not null,
    public_key text not null,
    wrapped_seed text not null,
    created_at integer not null
  ) strict`,
]

const support: readonly Statement[] = [
  // process: the server process that is sending the email.
  `create table support_requests (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    client_id text,
    reference text not null unique,
    category text not null,
    priority text not null,
    subject text not null,
    message text not null,
    state text not null default 'open' check (state in ('open', 'closed')),
    created_at integer not null,
    mailed_at integer,
    process text
  ) strict`,
  'create index support_requests_by_user on support_requests (user_id)',
  `create unique index support_requests_by_client_id on support_requests (user_id, client_id)
    where client_id is not null`,
  'create index support_requests_not_mailed on support_requests (created_at) where mailed_at is null',
  'create index support_requests_by_state on support_requests (state, id)',
]

const alerts: readonly Statement[] = [
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
  // process: the server process that is sending the alert.
  `create table alert_deliveries (
    alert_id text not null references alerts (id) on delete cascade,
    channel text not null check (channel in ('email', 'sms', 'log')),
    state text not null check (state in ('waiting', 'sent', 'failed', 'logged')),
    reason text,
    failures integer not null default 0,
    next_at integer,
    process text,
    primary key (alert_id, channel)
  ) strict, without rowid`,
  "create index alert_deliveries_due on alert_deliveries (next_at) where state = 'waiting'",
  // While a window is open, further alerts of its type and subject are only counted; a digest follows at its end.
  `create table alert_windows (
    type text not null,
    subject text not null,
    opened_at integer not null,
    held_back integer not null default 0,
    primary key (type, subject)
  ) strict, without rowid`,
  'create index alert_windows_by_time on alert_windows (opened_at)',
]

/** The founder's account and sessions, support requests, alerts. */
export const founder: readonly Statement[] = [...account, ...support, ...alerts]
