import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

/** Empty but while a health check writes a page, to see whether the store has room for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, ['create table health_pages (id text primary key, page text not null) strict, without rowid'])
}
