import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import type { FounderSessionRow } from '../../../core/database/tables/founder.ts'

/**
 * Asked last, in the transaction of what it guards, like that of members: a stolen cookie does not do it. Throws
 * CONFIRMATION_NEEDED where this session was not confirmed of late; using it does not make it last longer.
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
  // A clock that was put back is no longer confirmation.
  if (age < 0 || age >= limits.confirmationTime) throw new AppError('CONFIRMATION_NEEDED')
}
