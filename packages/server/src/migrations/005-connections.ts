import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // The name is the one the blocker knew: a block is no window on a stranger's account.
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

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
