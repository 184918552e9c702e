import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { hashToken } from '../../core/sessions/tokens.ts'
import { insertPendingPassword, type TicketRow } from './queries.ts'

/** The password that a recovery sets. If a second factor is on, it takes effect only with that. */
export interface PendingPassword {
  passwordHash: string
  passwordVersion: number
  wrappedAccountKey: string
}

const recoveryKeyHash = ({ recovery_proof_hash }: UserRow) => hashToken(recovery_proof_hash ?? '')

/** Stores a pending password with its ticket; it expires with the ticket. */
export async function storePendingPassword(
  tx: Tx,
  core: Core,
  tokenHash: string,
  user: UserRow,
  { passwordHash, passwordVersion, wrappedAccountKey }: PendingPassword,
): Promise<void> {
  await insertPendingPassword(tx, {
    token_hash: tokenHash,
    recovery_proof_hash: recoveryKeyHash(user),
    proposal: core.secrets.encryptAtRest(JSON.stringify({ passwordHash, passwordVersion, wrappedAccountKey })),
  })
}

/** Whether the recovery key that set the pending password is still the account's. */
export const isRecoveryKeyCurrent = ({ recovery_proof_hash }: TicketRow, user: UserRow): boolean =>
  recovery_proof_hash === null || recovery_proof_hash === recoveryKeyHash(user)

export const readPendingPassword = ({ secrets }: Core, { proposal }: TicketRow): PendingPassword | undefined =>
  proposal === null ? undefined : (JSON.parse(secrets.decryptAtRest(proposal)) as PendingPassword)
