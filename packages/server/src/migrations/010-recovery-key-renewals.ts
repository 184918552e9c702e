import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // The newest of one's own, asked for by the security status however long one's log has become.
  `create index audit_log_recovery_key_renewals on audit_log (actor_id, seq)
    where action = 'recovery_key_renewed'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
