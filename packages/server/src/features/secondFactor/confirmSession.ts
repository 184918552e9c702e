import type { Result } from '@privity/contract/endpoint'
import type { confirmation } from '@privity/contract/confirmation'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/db.ts'
import type { Caller } from '../../core/guards.ts'
import type { SessionRow } from '../../core/schema.ts'
import { type Asked, type Confirmation, confirmed } from './confirm.ts'

/** Marks this session, and no other, as confirmed by who has the password and the second factor. */
export function confirmSession(asked: Asked, given: Confirmation): Promise<Result<typeof confirmation.confirm>> {
  const { core, caller } = asked
  const { userId, sessionId, address } = caller
  return confirmed(asked, given, async (tx) => {
    const at = core.clock.now()
    await tx.run('update sessions set confirmed_at = ? where id = ?', [at, sessionId])
    await audit(tx, { action: 'session_confirmed', actorId: userId, address, at })
    return { confirmedUntil: at + limits.confirmationTime }
  })
}

/**
 * Asked last, in the transaction of what it guards: what the rules refuse anyway is refused without a password.
 * Throws CONFIRMATION_NEEDED where this session was not confirmed of late; using it does not make it last longer.
 */
export async function requireConfirmed(db: Reader, { clock }: Pick<Core, 'clock'>, caller: Caller): Promise<void> {
  const session = await db.get<Pick<SessionRow, 'confirmed_at'>>('select confirmed_at from sessions where id = ?', [
    caller.sessionId,
  ])
  if (session === undefined) throw new AppError('NOT_SIGNED_IN')
  const age = session.confirmed_at === null ? Infinity : clock.now() - session.confirmed_at
  // A clock that was put back is no longer confirmation.
  if (age < 0 || age >= limits.confirmationTime) throw new AppError('CONFIRMATION_NEEDED')
}
