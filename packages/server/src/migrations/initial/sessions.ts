import type { Statement } from '../ddl.ts'

const day = 24 * 60 * 60 * 1000

/** Sessions of users, and the sign-ins that lead to them. */
export const sessions: readonly Statement[] = [
  // key_share: the server's half of the key under which a browser stores the account key, encrypted at rest.
  // browser_id: the browser in the user's list that the session belongs to, once it has said so.
  // shared_computer: 1 if its cookies end with the browser, which is not remembered as known.
  // confirmed_at: when this session last confirmed the password and the second factor. A confirmed session gets a new
  // token; former_token_hash is accepted until former_until. A session ends idle_limit after its last use, and
  // life_limit after its sign-in.
  `create table sessions (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    token_hash text not null unique,
    former_token_hash text,
    former_until integer,
    key_share text not null,
    created_at integer not null,
    last_used_at integer not null,
    confirmed_at integer,
    idle_limit integer not null default ${day},
    life_limit integer not null default ${90 * day},
    address text not null,
    device text not null,
    browser_id text,
    shared_computer integer not null default 0
  ) strict`,
  'create index sessions_by_user on sessions (user_id)',
  'create index sessions_by_former_token on sessions (former_token_hash) where former_token_hash is not null',
  'create index sessions_by_end on sessions ((last_used_at + idle_limit))',
  'create index sessions_by_life on sessions ((created_at + life_limit))',
  // Each browser that the session has ever belonged to: a copy of a browser has its session and becomes another one.
  `create table session_browsers (
    session_id text not null references sessions (id) on delete cascade,
    user_id text not null,
    browser_id text not null,
    primary key (session_id, browser_id),
    foreign key (user_id, browser_id) references browsers (user_id, browser_id) on delete cascade
  ) strict, without rowid`,
  'create index session_browsers_by_browser on session_browsers (user_id, browser_id)',
  // Covers the count of recently active users.
  'create index sessions_by_use on sessions (last_used_at, user_id)',
  // push: whether the user wants push notifications in this browser; null until they have chosen.
  `create table known_devices (
    user_id text not null references users (id) on delete cascade,
    device text not null,
    first_seen_at integer not null,
    last_seen_at integer not null,
    push integer check (push in (0, 1)),
    primary key (user_id, device)
  ) strict, without rowid`,
  `create table sign_in_locks (
    purpose text not null,
    account text not null,
    device text not null,
    failed integer not null,
    last_failed_at integer not null,
    locked_until integer,
    primary key (purpose, account, device)
  ) strict, without rowid`,
  'create index sign_in_locks_by_account on sign_in_locks (account)',
  'create index sign_in_locks_by_failure on sign_in_locks (last_failed_at)',
  'create index sign_in_locks_by_end on sign_in_locks (locked_until) where locked_until is not null',
]
