import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

/** Who signs up without an invitation comes to the oldest: it was looked for among all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, ['create index organizations_by_age on organizations (created_at, id)'])
}
