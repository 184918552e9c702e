import type { Kysely } from 'kysely'
import { afterEach, change } from './ddl.ts'

const minutes = [
  'create table message_minutes (minute integer primary key not null, messages integer not null) strict',
  `insert into message_minutes (minute, messages)
   select created_at / 60000, count(*) from messages group by created_at / 60000`,
  'create table connection_minutes (minute integer primary key not null, connections integer not null) strict',
  `insert into connection_minutes (minute, connections)
   select connected_at / 60000, count(*) from connections group by connected_at / 60000`,
  // Connections that are removed stay counted: they were made.
  afterEach({
    name: 'connections_counted',
    when: 'after insert on connections',
    does: `insert into connection_minutes (minute, connections) values (new.connected_at / 60000, 1)
    on conflict (minute) do update set connections = connection_minutes.connections + 1;`,
  }),
]

const people = [
  `create table people_counts (
    role text not null,
    is_active integer not null,
    suspended integer not null,
    users integer not null,
    primary key (role, is_active, suspended)
  ) strict, without rowid`,
  `insert into people_counts (role, is_active, suspended, users)
   select role, is_active, suspended, count(*) from users group by role, is_active, suspended`,
  afterEach({
    name: 'people_counted_in',
    when: 'after insert on users',
    does: `insert into people_counts (role, is_active, suspended, users) values (new.role, new.is_active, new.suspended, 1)
    on conflict (role, is_active, suspended) do update set users = people_counts.users + 1;`,
  }),
  afterEach({
    name: 'people_counted_out',
    when: 'after delete on users',
    does: `update people_counts set users = users - 1
    where role = old.role and is_active = old.is_active and suspended = old.suspended;`,
  }),
  afterEach({
    name: 'people_counted_again',
    when: 'after update of role, is_active, suspended on users',
    does: `update people_counts set users = users - 1
    where role = old.role and is_active = old.is_active and suspended = old.suspended;
    insert into people_counts (role, is_active, suspended, users) values (new.role, new.is_active, new.suspended, 1)
    on conflict (role, is_active, suspended) do update set users = people_counts.users + 1;`,
  }),
]

const sessions = [
  'create table session_counts (one integer primary key not null check (one = 1), sessions integer not null) strict',
  'insert into session_counts (one, sessions) select 1, count(*) from sessions',
  afterEach({
    name: 'sessions_counted_in',
    when: 'after insert on sessions',
    does: `update session_counts set sessions = sessions + 1;`,
  }),
  afterEach({
    name: 'sessions_counted_out',
    when: 'after delete on sessions',
    does: `update session_counts set sessions = sessions - 1;`,
  }),
  // Which users were active is answered from the index alone.
  'create index sessions_by_use on sessions (last_used_at, user_id)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, [...minutes, ...people, ...sessions])
}
