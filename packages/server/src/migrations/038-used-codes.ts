import type { Kysely } from 'kysely'
import { afterEach, change } from './ddl.ts'

/** Kept by the database, so that it is whole whoever writes: a process of the release before knows the newest step only. */
const keep = (app: string, table: string, owner: string, step: string) =>
  ['insert', 'update of last_step'].map((when, at) =>
    afterEach({
      name: `${app}_keep_step_${at}`,
      when: `after ${when} on ${app}`,
      does: `insert into ${table} (${owner}, step) values (new.${step}, new.last_step) on conflict do nothing;`,
    }),
  )

const statements = [
  `create table used_steps (
    user_id text not null references authenticator_apps (user_id) on delete cascade,
    step integer not null,
    primary key (user_id, step)
  ) strict, without rowid`,
  `create table founder_used_steps (
    app_id integer not null references founder_authenticator_app (id) on delete cascade,
    step integer not null,
    primary key (app_id, step)
  ) strict, without rowid`,
  'insert into used_steps (user_id, step) select user_id, last_step from authenticator_apps',
  'insert into founder_used_steps (app_id, step) select id, last_step from founder_authenticator_app',
  ...keep('authenticator_apps', 'used_steps', 'user_id', 'user_id'),
  ...keep('founder_authenticator_app', 'founder_used_steps', 'app_id', 'id'),
]

/** The time steps that codes of an authenticator app were accepted for, where there was the newest of them only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
