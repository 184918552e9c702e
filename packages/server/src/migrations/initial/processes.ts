import type { Statement } from '../ddl.ts'

/** Server processes, and the state that they share. */
export const processes: readonly Statement[] = [
  // One row per process that serves this database; `beat` changes as long as the process lives.
  `create table processes (
    id text primary key not null,
    beat integer not null
  ) strict, without rowid`,
  // The process that runs a job; a lease is valid while its holder is among the processes.
  `create table leases (
    name text primary key not null,
    holder text not null
  ) strict, without rowid`,
  'create table settings (key text primary key not null, value text not null) strict',
  // A health check writes a page here to learn whether the disk has space, and deletes it.
  'create table health_pages (id text primary key, page text not null) strict, without rowid',
]
