import { afterEach, numbered, type Statement } from '../ddl.ts'

/** Stores the time step of each accepted code, so no code is accepted twice. */
export const keepUsedSteps = (app: string, table: string, owner: string, id: string): Statement[] =>
  ['insert', 'update of last_step'].map((event, index) =>
    afterEach({
      name: `${app}_keep_step_${index}`,
      when: `after ${event} on ${app}`,
      does: `insert into ${table} (${owner}, step) values (new.${id}, new.last_step) on conflict do nothing;`,
    }),
  )

const factors: readonly Statement[] = [
  `create table authenticator_apps (
    user_id text primary key not null references users (id) on delete cascade,
    secret text not null,
    created_at integer not null,
    confirmed_at integer,
    last_step integer not null default 0
  ) strict`,
  `create table used_steps (
    user_id text not null references authenticator_apps (user_id) on delete cascade,
    step integer not null,
    primary key (user_id, step)
  ) strict, without rowid`,
  ...keepUsedSteps('authenticator_apps', 'used_steps', 'user_id', 'user_id'),
  // An app that is being set up; the app in use stays valid until this one is confirmed.
  `create table authenticator_setups (
    user_id text primary key not null references users (id) on delete cascade,
    secret text not null,
    created_at integer not null,
    session_id text not null
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
]

const signIn: readonly Statement[] = [
  // A sign-in whose password was right and whose second factor is awaited.
  `create table sign_in_tickets (
    token_hash text primary key not null,
    user_id text not null references users (id) on delete cascade,
    device text not null,
    password_hash text not null,
    expires_at integer not null
  ) strict, without rowid`,
  'create index sign_in_tickets_by_user on sign_in_tickets (user_id)',
  'create index sign_in_tickets_by_expiry on sign_in_tickets (expires_at)',
  // The password that a recovery sets once the second factor is shown; deleted with its ticket.
  `create table proposed_passwords (
    token_hash text primary key not null references sign_in_tickets (token_hash) on delete cascade,
    recovery_proof_hash text not null,
    proposal text not null
  ) strict`,
  `create table passkey_challenges (
    holder text primary key not null,
    user_id text not null references users (id) on delete cascade,
    challenge text not null,
    expires_at integer not null
  ) strict, without rowid`,
  'create index passkey_challenges_by_user on passkey_challenges (user_id)',
  'create index passkey_challenges_by_expiry on passkey_challenges (expires_at)',
]

export const secondFactor: readonly Statement[] = [...factors, ...signIn]
