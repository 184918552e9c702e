import { type Kysely, sql } from 'kysely'

const minutes = [
  'create table message_minutes (minute integer primary key not null, messages integer not null) strict',
  `insert into message_minutes (minute, messages)
   select created_at / 60000, count(*) from messages group by created_at / 60000`,
  'create table connection_minutes (minute integer primary key not null, connections integer not null) strict',
  `insert into connection_minutes (minute, connections)
   select connected_at / 60000, count(*) from connections group by connected_at / 60000`,
  // Connections that are removed stay counted: they were made.
  `create trigger connections_counted after insert on connections begin
    insert into connection_minutes (minute, connections) values (new.connected_at / 60000, 1)
    on conflict (minute) do update set connections = connections + 1;
  end`,
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
  `create trigger people_counted_in after insert on users begin
    insert into people_counts (role, is_active, suspended, users) values (new.role, new.is_active, new.suspended, 1)
    on conflict (role, is_active, suspended) do update set users = users + 1;
  end`,
  `create trigger people_counted_out after delete on users begin
    update people_counts set users = users - 1
    where role = old.role and is_active = old.is_active and suspended = old.suspended;
  end`,
  `create trigger people_counted_again after update of role, is_active, suspended on users begin
    update people_counts set users = users - 1
    where role = old.role and is_active = old.is_active and suspended = old.suspended;
    insert into people_counts (role, is_active, suspended, users) values (new.role, new.is_active, new.suspended, 1)
    on conflict (role, is_active, suspended) do update set users = users + 1;
  end`,
]

const sessions = [
  'create table session_counts (one integer primary key not null check (one = 1), sessions integer not null) strict',
  'insert into session_counts (one, sessions) select 1, count(*) from sessions',
  `create trigger sessions_counted_in after insert on sessions begin
    update session_counts set sessions = sessions + 1;
  end`,
  `create trigger sessions_counted_out after delete on sessions begin
    update session_counts set sessions = sessions - 1;
  end`,
  // Which users were active is answered from the index alone.
  'create index sessions_by_use on sessions (last_used_at, user_id)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...minutes, ...people, ...sessions]) await sql.raw(statement).execute(db)
}
