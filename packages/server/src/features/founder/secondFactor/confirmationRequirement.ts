import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import type { FounderSessionRow } from '../../../core/database/tables/founder.ts'

/**
 * Call it last, in the transaction that it guards, as for members: a stolen cookie is not enough. Throws
 * CONFIRMATION_NEEDED unless this session was confirmed recently; use does not extend the confirmation.
 */
export async function requireConfirmed(
  tx: Tx,
  { clock }: Pick<Core, 'clock'>,
  { sessionId, tokenHash }: Pick<Founder, 'sessionId' | 'tokenHash'>,
): Promise<void> {
  const session = await tx.get<Pick<FounderSessionRow, 'confirmed_at' | 'token_hash'>>(
    'select confirmed_at, token_hash from founder_sessions where id = ?',
    [sessionId],
  )
  if (session === undefined) throw new AppError('NOT_FOUNDER')
  const isConfirmed = session.confirmed_at !== null && session.token_hash === tokenHash
  const age = isConfirmed ? clock.now() - (session.confirmed_at ?? 0) : Infinity
  // A clock that was set back invalidates the confirmation.
  if (age < 0 || age >= limits.confirmationTime) throw new AppError('CONFIRMATION_NEEDED')
}
