import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const life = 90 * 24 * 60 * 60 * 1000

const statements = [
  `alter table sessions add column life_limit integer not null default ${life}`,
  'alter table sessions add column former_token_hash text',
  'alter table sessions add column former_until integer',
  'alter table founder_sessions add column former_token_hash text',
  'alter table founder_sessions add column former_until integer',
  'create index sessions_by_life on sessions ((created_at + life_limit))',
  'create index sessions_by_former_token on sessions (former_token_hash) where former_token_hash is not null',
]

/** A session gets another token when it is confirmed, and ends some time after its sign-in, however much it is used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
