import type { Kysely } from 'kysely'
import { afterEach, change } from './ddl.ts'

const grow = (user: string) => `update users set sending_version = sending_version + 1 where id = ${user};`

/** Kept by the database, so that it is true whoever writes: a process of the release before knows nothing of it. */
const statements = [
  'alter table users add column sending_version integer not null default 0',
  afterEach({
    name: 'users_change_sending',
    when: 'after update of first_name, last_name, is_active, suspended on users',
    does: grow('new.id'),
  }),
  afterEach({ name: 'epochs_change_sending', when: 'after insert on epochs', does: grow('new.user_id') }),
]

/** What sending has to know of a user has a version: what a process remembers of him holds as long as it has not grown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
