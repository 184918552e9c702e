import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
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
    mailed_at integer
  ) strict`,
  'create index support_requests_by_user on support_requests (user_id)',
  `create unique index support_requests_by_client_id on support_requests (user_id, client_id)
    where client_id is not null`,
  'create index support_requests_not_mailed on support_requests (created_at) where mailed_at is null',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
