import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

// What the founder lists, he lists of all organizations.
const statements = [
  'create index users_by_name_everywhere on users (name_key, id)',
  'create index users_by_email_everywhere on users (email, id)',
  'create index users_by_joining_everywhere on users (created_at, id)',
  'create index user_words_everywhere on user_words (word, name_key)',
  'create index sign_in_locks_by_end on sign_in_locks (locked_until) where locked_until is not null',
  'create index support_requests_by_state on support_requests (state, id)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
