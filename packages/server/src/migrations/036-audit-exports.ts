import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // Asked for and not fetched yet: any process may be the one that is asked for it.
  `create table audit_exports (
    id text primary key not null,
    session_id text not null references sessions (id) on delete cascade,
    organization_id text not null,
    format text not null,
    snapshot text not null,
    made_at integer not null
  ) strict`,
  'create index audit_exports_by_session on audit_exports (session_id)',
  'create index audit_exports_by_time on audit_exports (made_at)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
