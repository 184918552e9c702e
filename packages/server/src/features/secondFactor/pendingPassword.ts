import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { hashToken } from '../../core/sessions/tokens.ts'
import { insertProposal, type TicketRow } from './queries.ts'

/**
 * The password that a recovery sets. If a second factor is on, it waits for that: the recovery key alone changes
 * nothing.
 */
export interface ProposedPassword {
  passwordHash: string
  passwordVersion: number
  wrappedAccountKey: string
}

const hashOf = ({ recovery_proof_hash }: UserRow) => hashToken(recovery_proof_hash ?? '')

/** Stores it with its ticket, and for as long. */
export async function keepProposal(
  tx: Tx,
  core: Core,
  tokenHash: string,
  user: UserRow,
  { passwordHash, passwordVersion, wrappedAccountKey }: ProposedPassword,
): Promise<void> {
  await insertProposal(tx, {
    token_hash: tokenHash,
    recovery_proof_hash: hashOf(user),
    proposal: core.secrets.sealAtRest(JSON.stringify({ passwordHash, passwordVersion, wrappedAccountKey })),
  })
}

/** Whether the recovery key that proposed the new password is still the account's. */
export const stillFits = ({ recovery_proof_hash }: TicketRow, user: UserRow): boolean =>
  recovery_proof_hash === null || recovery_proof_hash === hashOf(user)

export const openProposal = ({ secrets }: Core, { proposal }: TicketRow): ProposedPassword | undefined =>
  proposal === null ? undefined : (JSON.parse(secrets.openAtRest(proposal)) as ProposedPassword)
