import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { recordFailure } from '../session/locks.ts'

/** The stored form of the recovery proof: it has 256 bits, so a keyed hash is enough. */
export function hashProof(core: Core, proof: string): string {
  return createHmac('sha256', core.secrets.derive('recovery-proof')).update(proof).digest('base64url')
}

/** Compares in constant time, even if nothing is stored. */
function isProof(core: Core, proof: string, stored: string | null | undefined): boolean {
  const actual = Buffer.from(hashProof(core, proof))
  const expected = Buffer.from(stored ?? hashProof(core, ''))
  return timingSafeEqual(actual, expected) && stored !== null && stored !== undefined
}

/**
 * Checks possession of the recovery key. Throws RECOVERY_REFUSED. Its 256 bits cannot be guessed, so wrong proofs lock
 * nothing (anyone could keep the owner out that way); they count against the address, as sign-ins do.
 */
export async function checkRecoveryProof(
  core: Core,
  proof: string,
  { user, account, address }: { user: UserRow | undefined; account: string; address: string },
): Promise<UserRow> {
  if (isProof(core, proof, user?.recovery_proof_hash) && user !== undefined) return user
  await recordFailure(core, 'failed_recovery', { locks: false, userId: user?.id, account, address })
  throw new AppError('RECOVERY_REFUSED')
}
