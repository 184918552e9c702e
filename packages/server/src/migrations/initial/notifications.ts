import type { Statement } from '../ddl.ts'

/** A notification is deleted with its file or its contact's account, or by the end of its connection. */
export const notifications: readonly Statement[] = [
  // change: the kind of an account change. failures: failed sign-ins before a successful one.
  `create table notifications (
    id text primary key not null,
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    created_at integer not null,
    expires_at integer not null,
    is_read integer not null check (is_read in (0, 1)),
    connection_id text,
    peer_id text references users (id) on delete cascade,
    file_id text references files (id) on delete cascade,
    identity_key text,
    decision text,
    session_id text,
    device text,
    address text,
    change text,
    failures integer
  ) strict`,
  'create index notifications_by_user on notifications (user_id, id)',
  'create index notifications_by_expiry on notifications (expires_at)',
  'create index notifications_by_file on notifications (file_id) where file_id is not null',
  'create index notifications_by_peer on notifications (peer_id) where peer_id is not null',
  'create index notifications_by_connection on notifications (connection_id) where connection_id is not null',
]
