import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/db.ts'
import type { Founder } from '../../../core/guards.ts'
import type { FounderSessionRow } from '../../../core/rows/founder.ts'

/**
 * Asked last, in the transaction of what it guards, like that of members: a stolen cookie does not do it. Throws
 * CONFIRMATION_NEEDED where this session was not confirmed of late; using it does not make it last longer.
 */
export async function requireConfirmed(
  tx: Tx,
  { clock }: Pick<Core, 'clock'>,
  { sessionId }: Pick<Founder, 'sessionId'>,
): Promise<void> {
  const session = await tx.get<Pick<FounderSessionRow, 'confirmed_at'>>(
    'select confirmed_at from founder_sessions where id = ?',
    [sessionId],
  )
  if (session === undefined) throw new AppError('NOT_FOUNDER')
  const age = session.confirmed_at === null ? Infinity : clock.now() - session.confirmed_at
  // A clock that was put back is no longer confirmation.
  if (age < 0 || age >= limits.confirmationTime) throw new AppError('CONFIRMATION_NEEDED')
}
