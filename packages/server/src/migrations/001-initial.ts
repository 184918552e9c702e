import type { Kysely } from 'kysely'
import { appendOnly, change, numbered } from './ddl.ts'

const accounts = [
  `create table organizations (
    id text primary key not null,
    name text not null,
    type text not null,
    created_at integer not null
  ) strict`,
  `create table users (
    id text primary key not null,
    username text not null unique,
    email text not null unique,
    first_name text not null,
    last_name text not null,
    role text not null check (role in ('user', 'org_admin', 'super_admin')),
    organization_id text not null references organizations (id),
    connection_code text not null unique,
    password_hash text not null,
    is_active integer not null default 1 check (is_active in (0, 1)),
    suspended integer not null default 0 check (suspended in (0, 1)),
    created_at integer not null,
    identity_key text,
    wrapped_identity_seed text,
    wrapped_account_key text,
    recovery_wrapped_account_key text,
    recovery_proof_hash text,
    pins_version integer not null default 0,
    pins text not null default ''
  ) strict`,
  'create index users_by_organization on users (organization_id)',
  'create table retired_users (id text primary key not null, retired_at integer not null) strict',
  `create table sessions (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    token_hash text not null unique,
    created_at integer not null,
    last_used_at integer not null,
    address text not null,
    device text not null
  ) strict`,
  'create index sessions_by_user on sessions (user_id)',
  'create index sessions_by_last_use on sessions (last_used_at)',
  `create table sign_in_locks (
    purpose text not null,
    account text not null,
    device text not null,
    failed integer not null,
    last_failed_at integer not null,
    locked_until integer,
    primary key (purpose, account, device)
  ) strict, without rowid`,
  'create index sign_in_locks_by_failure on sign_in_locks (last_failed_at)',
  'create index sign_in_locks_by_account on sign_in_locks (account)',
  `create table known_devices (
    user_id text not null references users (id) on delete cascade,
    device text not null,
    first_seen_at integer not null,
    last_seen_at integer not null,
    primary key (user_id, device)
  ) strict, without rowid`,
  `create table epochs (
    user_id text not null references users (id) on delete cascade,
    n integer not null,
    public_key text not null,
    created_at integer not null,
    previous_hash text not null,
    signature text not null,
    wrapped_seed text not null,
    superseded_at integer,
    primary key (user_id, n)
  ) strict`,
  'create index epochs_superseded on epochs (superseded_at) where superseded_at is not null',
  `create table invitations (
    id text primary key not null,
    token_hash text not null unique,
    organization_id text not null references organizations (id),
    role text not null check (role in ('user', 'org_admin', 'super_admin')),
    created_by text,
    created_at integer not null,
    used_at integer,
    used_by text,
    revoked_at integer
  ) strict`,
  'create table settings (key text primary key not null, value text not null) strict',
]

const records = [
  `create table audit_log (
    seq integer primary key not null,
    created_at integer not null,
    action text not null,
    actor_id text,
    target_id text,
    address text,
    details text not null,
    hash text not null
  ) strict`,
  'create index audit_log_by_time on audit_log (created_at)',
  ...appendOnly('audit_log'),
  numbered(`create table security_events (
    id text primary key not null,
    event_type text not null,
    event_description text,
    severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
    user_id text,
    address text,
    page_url text,
    metadata text,
    session_id text,
    created_at integer not null
  ) strict`),
  'create index security_events_by_time on security_events (created_at)',
]

const conversations = [
  `create table connections (
    id text primary key not null,
    user_id_1 text not null references users (id) on delete cascade,
    user_id_2 text not null references users (id) on delete cascade,
    status text not null default 'active',
    connected_at integer not null,
    last_seq integer not null default 0,
    sent_seq_1 integer not null default 0,
    sent_seq_2 integer not null default 0,
    delivered_seq_1 integer not null default 0,
    read_seq_1 integer not null default 0,
    delivered_seq_2 integer not null default 0,
    read_seq_2 integer not null default 0,
    unique (user_id_1, user_id_2),
    check (user_id_1 < user_id_2)
  ) strict`,
  'create index connections_by_second on connections (user_id_2)',
  // Messages, envelopes and files name their connection without a foreign key: a connection disappears at
  // once and what it held is destroyed in batches, named here until that is done.
  'create table removed_connections (id text primary key not null, removed_at integer not null) strict',
  `create table envelopes (
    id text primary key not null,
    connection_id text not null,
    from_id text not null,
    to_id text not null,
    epoch_from integer not null,
    epoch_to integer not null,
    created_at integer not null,
    expires_at integer not null,
    sealed_for_recipient text not null,
    sealed_for_sender text not null,
    signature text not null
  ) strict`,
  'create index envelopes_by_connection on envelopes (connection_id)',
  'create index envelopes_by_expiry on envelopes (expires_at)',
  `create table messages (
    id text not null unique,
    connection_id text not null,
    seq integer not null,
    sender_id text not null,
    envelope_id text not null,
    message_type text not null,
    file_id text,
    file_size integer,
    created_at integer not null,
    expires_at integer not null,
    content text not null,
    file_name text,
    file_key text,
    unique (connection_id, seq)
  ) strict`,
  'create index messages_by_expiry on messages (expires_at)',
]

const files = [
  `create table uploads (
    id text primary key not null,
    owner_id text not null references users (id) on delete cascade,
    created_at integer not null,
    expires_at integer not null,
    started_at integer,
    size integer,
    finished_at integer
  ) strict`,
  'create index uploads_by_owner on uploads (owner_id)',
  'create index uploads_by_creation on uploads (created_at)',
  `create table files (
    id text primary key not null,
    owner_id text not null references users (id) on delete cascade,
    size integer not null,
    created_at integer not null,
    message_id text unique,
    connection_id text,
    expires_at integer not null
  ) strict`,
  'create index files_by_owner on files (owner_id)',
  'create index files_by_connection on files (connection_id)',
  'create index files_by_expiry on files (expires_at)',
  `create table file_authorizations (
    id text primary key not null,
    file_id text not null references files (id) on delete cascade,
    connection_id text not null,
    owner_id text not null,
    requester_id text not null,
    status text not null check (status in ('pending', 'authorized', 'denied')),
    requested_at integer not null,
    decided_at integer,
    downloads_left integer not null default 0 check (downloads_left between 0 and 3),
    grant_epoch_to integer,
    grant_sealed_key text,
    grant_signature text,
    unique (file_id, requester_id)
  ) strict`,
  "create index file_authorizations_pending on file_authorizations (owner_id) where status = 'pending'",
  `create table file_downloads (
    id text primary key not null,
    authorization_id text not null references file_authorizations (id) on delete cascade,
    started_at integer not null,
    finished_at integer
  ) strict`,
  'create index file_downloads_by_authorization on file_downloads (authorization_id)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, [...accounts, ...records, ...conversations, ...files])
}
