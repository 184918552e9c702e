import type { Kysely } from 'kysely'
import { change, numbered } from './ddl.ts'

const statements = [
  `create table authenticator_apps (
    user_id text primary key not null references users (id) on delete cascade,
    secret text not null,
    created_at integer not null,
    session_id text,
    confirmed_at integer,
    last_step integer not null default 0
  ) strict`,
  numbered(`create table passkeys (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    credential_id text not null unique,
    public_key text not null,
    counter integer not null,
    transports text not null,
    rp_id text not null,
    created_at integer not null,
    last_used_at integer
  ) strict`),
  'create index passkeys_by_user on passkeys (user_id)',
  `create table recovery_codes (
    user_id text not null references users (id) on delete cascade,
    code_hash text not null,
    primary key (user_id, code_hash)
  ) strict, without rowid`,
  `create table sign_in_tickets (
    token_hash text primary key not null,
    user_id text not null references users (id) on delete cascade,
    device text not null,
    password_hash text not null,
    expires_at integer not null
  ) strict, without rowid`,
  'create index sign_in_tickets_by_user on sign_in_tickets (user_id)',
  'create index sign_in_tickets_by_expiry on sign_in_tickets (expires_at)',
  `create table passkey_challenges (
    holder text primary key not null,
    user_id text not null references users (id) on delete cascade,
    challenge text not null,
    expires_at integer not null
  ) strict, without rowid`,
  'create index passkey_challenges_by_user on passkey_challenges (user_id)',
  'create index passkey_challenges_by_expiry on passkey_challenges (expires_at)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
