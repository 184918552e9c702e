import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  `create table incident_acknowledgements (
    incident_id text primary key,
    acknowledged_at integer not null,
    device text not null,
    note text,
    severity text not null,
    last_seen integer not null
  ) strict, without rowid`,
]

/** One row for each security incident that was acknowledged, with its severity and last event at that time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
