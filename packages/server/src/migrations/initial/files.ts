import type { Statement } from '../ddl.ts'

/** `process` names the server process that transfers the body; null if only one process serves. */
export const files: readonly Statement[] = [
  `create table uploads (
    id text primary key not null,
    owner_id text not null references users (id) on delete cascade,
    created_at integer not null,
    expires_at integer not null,
    started_at integer,
    size integer,
    finished_at integer,
    process text
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
    used_grants text not null default '[]',
    unique (file_id, requester_id)
  ) strict`,
  "create index file_authorizations_pending on file_authorizations (owner_id) where status = 'pending'",
  `create table file_downloads (
    id text primary key not null,
    authorization_id text not null references file_authorizations (id) on delete cascade,
    started_at integer not null,
    finished_at integer,
    process text
  ) strict`,
  'create index file_downloads_by_authorization on file_downloads (authorization_id)',
]
