import { afterEach, type Statement } from '../ddl.ts'

/** Numbers per minute, kept for a day. */
const minutes: readonly Statement[] = [
  // Each process counts in rows of its own, so that no two processes write the same row.
  `create table message_minutes (
    minute integer not null,
    process text not null,
    messages integer not null,
    primary key (minute, process)
  ) strict, without rowid`,
  'create table connection_minutes (minute integer primary key not null, connections integer not null) strict',
  // Counts connections made: deleting one does not reduce the number.
  afterEach({
    name: 'connections_counted',
    when: 'after insert on connections',
    does: `insert into connection_minutes (minute, connections) values (new.connected_at / 60000, 1)
    on conflict (minute) do update set connections = connection_minutes.connections + 1;`,
  }),
]

const countIn = `insert into people_counts (role, is_active, suspended, users)
    values (new.role, new.is_active, new.suspended, 1)
    on conflict (role, is_active, suspended) do update set users = people_counts.users + 1;`

const countOut = `update people_counts set users = users - 1
    where role = old.role and is_active = old.is_active and suspended = old.suspended;`

/** Users of all organizations. */
const people: readonly Statement[] = [
  `create table people_counts (
    role text not null,
    is_active integer not null,
    suspended integer not null,
    users integer not null,
    primary key (role, is_active, suspended)
  ) strict, without rowid`,
  afterEach({ name: 'people_counted_in', when: 'after insert on users', does: countIn }),
  afterEach({ name: 'people_counted_out', when: 'after delete on users', does: countOut }),
  afterEach({
    name: 'people_counted_again',
    when: 'after update of role, is_active, suspended on users',
    does: `${countOut}\n    ${countIn}`,
  }),
]

const sessions: readonly Statement[] = [
  'create table session_counts (one integer primary key not null check (one = 1), sessions integer not null) strict',
  'insert into session_counts (one, sessions) values (1, 0)',
  afterEach({
    name: 'sessions_counted_in',
    when: 'after insert on sessions',
    does: 'update session_counts set sessions = sessions + 1;',
  }),
  afterEach({
    name: 'sessions_counted_out',
    when: 'after delete on sessions',
    does: 'update session_counts set sessions = sessions - 1;',
  }),
]

/** Numbers for the founder's console. Triggers count users, sessions and connections, so no statement can miss one. */
export const monitoring: readonly Statement[] = [...minutes, ...people, ...sessions]
