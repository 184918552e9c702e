import { type Kysely, sql } from 'kysely'
import { nameKey, searchWords } from '../core/userNames.ts'
import { afterEach, change } from './ddl.ts'

const statements = [
  "alter table users add column name_key text not null default ''",
  // One for each order of the list of users, with the id that makes every place in it single.
  'drop index users_by_organization',
  'create index users_by_name on users (organization_id, name_key, id)',
  'create index users_by_email on users (organization_id, email, id)',
  'create index users_by_role on users (organization_id, role, name_key, id)',
  'create index users_by_status on users (organization_id, is_active, name_key, id)',
  'create index users_by_joining on users (organization_id, created_at, id)',
  `create table user_words (
    user_id text not null references users (id) on delete cascade,
    word text not null,
    organization_id text not null,
    name_key text not null,
    primary key (user_id, word)
  ) strict, without rowid`,
  'create index user_words_by_word on user_words (organization_id, word, name_key)',
  // Counted by the database itself, so that no way to change a user can forget it. Who is suspended is not active here.
  `create table user_counts (
    organization_id text not null references organizations (id) on delete cascade,
    role text not null,
    is_active integer not null,
    users integer not null,
    primary key (organization_id, role, is_active)
  ) strict, without rowid`,
  `insert into user_counts (organization_id, role, is_active, users)
   select organization_id, role, is_active * (1 - suspended), count(*) from users
   group by organization_id, role, is_active * (1 - suspended)`,
  afterEach({
    name: 'users_counted_in',
    when: 'after insert on users',
    does: `insert into user_counts (organization_id, role, is_active, users)
    values (new.organization_id, new.role, new.is_active * (1 - new.suspended), 1)
    on conflict (organization_id, role, is_active) do update set users = user_counts.users + 1;`,
  }),
  afterEach({
    name: 'users_counted_out',
    when: 'after delete on users',
    does: `update user_counts set users = users - 1
    where organization_id = old.organization_id and role = old.role
      and is_active = old.is_active * (1 - old.suspended);`,
  }),
  afterEach({
    name: 'users_counted_again',
    when: 'after update of organization_id, role, is_active, suspended on users',
    does: `update user_counts set users = users - 1
    where organization_id = old.organization_id and role = old.role
      and is_active = old.is_active * (1 - old.suspended);
    insert into user_counts (organization_id, role, is_active, users)
    values (new.organization_id, new.role, new.is_active * (1 - new.suspended), 1)
    on conflict (organization_id, role, is_active) do update set users = user_counts.users + 1;`,
  }),
  'alter table invitations add column expires_at integer',
  'create index invitations_by_organization on invitations (organization_id, id)',
  'create index invitations_by_creator on invitations (created_by) where created_by is not null',
  'create index invitations_by_guest on invitations (used_by) where used_by is not null',
]

interface Named {
  id: string
  organization_id: string
  username: string
  email: string
  first_name: string
  last_name: string
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
  const { rows } = await sql<Named>`
    select id, organization_id, username, email, first_name, last_name from users`.execute(db)
  for (const user of rows) {
    const { id, organization_id: organizationId } = user
    const named = { username: user.username, email: user.email, firstName: user.first_name, lastName: user.last_name }
    const key = nameKey(named)
    await sql`update users set name_key = ${key} where id = ${id}`.execute(db)
    for (const word of searchWords(named))
      await sql`insert into user_words (user_id, word, organization_id, name_key)
        values (${id}, ${word}, ${organizationId}, ${key})`.execute(db)
  }
}
