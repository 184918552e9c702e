import type { Kysely } from 'kysely'
import { change } from './ddl.ts'

const statements = [
  // What a recovery would change, until the second factor is shown: it goes with its ticket.
  `create table proposed_passwords (
    token_hash text primary key not null references sign_in_tickets (token_hash) on delete cascade,
    recovery_proof_hash text not null,
    proposal text not null
  ) strict`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await change(db, statements)
}
