import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // Of each process that serves this database and shares it; `beat` changes for as long as it lives.
  `create table processes (
    id text primary key not null,
    beat integer not null
  ) strict, without rowid`,
  // Who does what is done once; held for as long as the holder is among the processes.
  `create table leases (
    name text primary key not null,
    holder text not null
  ) strict, without rowid`,
  // In which process a body arrives or leaves; null where there is one only.
  'alter table uploads add column process text',
  'alter table file_downloads add column process text',
  // Which process is sending it.
  'alter table alert_deliveries add column process text',
  'alter table support_requests add column process text',
  // Every process notices an incident, and one of them tells it.
  `create table told_incidents (
    id text primary key not null,
    last_seen integer not null
  ) strict, without rowid`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
