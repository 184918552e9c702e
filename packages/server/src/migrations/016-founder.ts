import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  `create table founder_sessions (
    id text primary key not null,
    token_hash text not null unique,
    created_at integer not null,
    last_used_at integer not null,
    address text not null,
    device text not null
  ) strict`,
  'create index founder_sessions_by_last_use on founder_sessions (last_used_at)',
  `create table founder_devices (
    device text primary key not null,
    first_seen_at integer not null,
    last_seen_at integer not null
  ) strict, without rowid`,
  // One row at most.
  `create table founder_authenticator_app (
    id integer primary key not null check (id = 1),
    secret text not null,
    created_at integer not null,
    session_id text,
    confirmed_at integer,
    last_step integer not null default 0
  ) strict`,
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
  // Of the password as it was typed. What is kept now is of what a browser derives from it, under a salt of its own.
  "delete from settings where key = 'founder_password_hash'",
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
