import type { Statement } from '../ddl.ts'

const connections: readonly Statement[] = [
  // lifetime: of messages, where a participant has set one; the server's may be shorter.
  // read_seq: how far a participant has read. shown_read_seq: how far the other participant may know of it.
  `create table connections (
    id text primary key not null,
    user_id_1 text not null references users (id) on delete cascade,
    user_id_2 text not null references users (id) on delete cascade,
    status text not null default 'active',
    connected_at integer not null,
    lifetime integer,
    last_seq integer not null default 0,
    sent_seq_1 integer not null default 0,
    sent_seq_2 integer not null default 0,
    delivered_seq_1 integer not null default 0,
    delivered_seq_2 integer not null default 0,
    read_seq_1 integer not null default 0,
    read_seq_2 integer not null default 0,
    shown_read_seq_1 integer not null default 0,
    shown_read_seq_2 integer not null default 0,
    unique (user_id_1, user_id_2),
    check (user_id_1 < user_id_2)
  ) strict`,
  'create index connections_by_second on connections (user_id_2)',
  // Messages, envelopes and files refer to their connection without a foreign key: a connection is deleted at
  // once, its content in batches. This table names the connection until its content is destroyed.
  'create table removed_connections (id text primary key not null, removed_at integer not null) strict',
  // Connections that ended with an account. A job writes the audit log and notifies the contacts in batches.
  `create table connection_endings (
    connection_id text primary key not null,
    user_id text not null,
    contact_id text not null,
    actor_id text,
    actor_organization text,
    target_id text not null,
    target_organization text not null,
    address text,
    is_account_told integer not null,
    had_notifications integer not null
  ) strict`,
  'create index connection_endings_by_user on connection_endings (user_id)',
  // Former contacts can be blocked until expires_at. The name is the one at the end of the connection.
  `create table former_contacts (
    user_id text not null references users (id) on delete cascade,
    contact_id text not null references users (id) on delete cascade,
    first_name text not null,
    last_name text not null,
    ended_at integer not null,
    expires_at integer not null,
    primary key (user_id, contact_id)
  ) strict, without rowid`,
  'create index former_contacts_by_contact on former_contacts (contact_id)',
  'create index former_contacts_by_expiry on former_contacts (expires_at)',
  // state: only the recipient's side tells a declined request from an open one. After expires_at the row only keeps its
  // sender from asking again at once.
  `create table connection_requests (
    id text primary key not null,
    from_id text not null references users (id) on delete cascade,
    to_id text not null references users (id) on delete cascade,
    state text not null check (state in ('open', 'declined', 'withdrawn')),
    created_at integer not null,
    expires_at integer not null,
    unique (from_id, to_id)
  ) strict`,
  'create index connection_requests_by_recipient on connection_requests (to_id)',
  'create index connection_requests_by_expiry on connection_requests (expires_at)',
  // The name is the one that the blocker knew, so a block reveals no later change of the account.
  `create table blocks (
    blocker_id text not null references users (id) on delete cascade,
    blocked_id text not null references users (id) on delete cascade,
    first_name text not null,
    last_name text not null,
    blocked_at integer not null,
    primary key (blocker_id, blocked_id)
  ) strict, without rowid`,
  'create index blocks_by_blocked on blocks (blocked_id)',
]

const messages: readonly Statement[] = [
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
  // identity_key: the sender's key at the time of sending, which the message's receipt binds.
  // deletion: the sender's signature of it. The row stays until it expires, without ciphertext.
  // repetition: the sender's browser computes this HMAC of a text that it sends for the third time in a day or more.
  `create table messages (
    id text not null unique,
    connection_id text not null,
    seq integer not null,
    sender_id text not null,
    identity_key text,
    envelope_id text not null,
    message_type text not null,
    file_id text,
    file_size integer,
    created_at integer not null,
    expires_at integer not null,
    repetition text,
    content text not null,
    file_name text,
    file_key text,
    deletion text,
    unique (connection_id, seq)
  ) strict`,
  // Covers the scan for suspicious sending, so storing a message writes no further index for it.
  'create index messages_by_expiry on messages (expires_at, sender_id, connection_id, created_at, repetition)',
]

export const conversations: readonly Statement[] = [...connections, ...messages]
