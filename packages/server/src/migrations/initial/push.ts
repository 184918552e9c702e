import type { Statement } from '../ddl.ts'

/** Subscriptions at push services, each of them also the place of its one waiting push. */
export const push: readonly Statement[] = [
  // subscription: its endpoint and keys, encrypted at rest; endpoint_hash: SHA-256 of the endpoint.
  // due_at: when the waiting push leaves, or is tried again; null: none waits. caused_at: when the newest message that
  // it announces was stored; expires_at: when that message expires. quiet_until: nothing is queued before.
  `create table push_subscriptions (
    session_id text primary key not null references sessions (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    endpoint_hash text not null unique,
    subscription text not null,
    due_at integer,
    caused_at integer not null default 0,
    expires_at integer not null default 0,
    failures integer not null default 0,
    quiet_until integer not null default 0
  ) strict`,
  'create index push_subscriptions_by_user on push_subscriptions (user_id)',
  // Those that have failed least come first: services that are away do not hold up the others.
  'create index push_subscriptions_by_turn on push_subscriptions (failures, due_at) where due_at is not null',
]
