import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { SessionRow } from '../../core/database/tables/sessions.ts'
import { type MemberCall, type Confirmation, runConfirmed } from './confirmation.ts'

interface ConfirmedSession {
  confirmedUntil: number
  /** Value of the session cookie; undefined if another tab has just renewed it. */
  token: string | undefined
}

/**
 * Marks only this session as confirmed by password and second factor, and renews its token: a stolen cookie is not
 * confirmed with it.
 */
export function confirmSession(call: MemberCall, confirmation: Confirmation): Promise<ConfirmedSession> {
  const { core, caller } = call
  const { userId, sessionId, address } = caller
  return runConfirmed(call, confirmation, async (tx) => {
    const at = core.clock.now()
    await tx.run('update sessions set confirmed_at = ? where id = ?', [at, sessionId])
    await audit(tx, { action: 'session_confirmed', actorId: userId, address, at })
    return { confirmedUntil: at + limits.confirmationTime, token: await core.sessions.renew(tx, caller) }
  })
}

/**
 * Throws CONFIRMATION_NEEDED unless this session was confirmed recently; use does not extend the confirmation. Call it
 * last in the transaction that it guards, so that a call which other rules refuse does not ask for a password.
 */
export async function requireConfirmed(db: Reader, { clock }: Pick<Core, 'clock'>, caller: Caller): Promise<void> {
  const session = await db.get<Pick<SessionRow, 'confirmed_at' | 'token_hash'>>(
    'select confirmed_at, token_hash from sessions where id = ?',
    [caller.sessionId],
  )
  if (session === undefined) throw new AppError('NOT_SIGNED_IN')
  const isConfirmed = session.confirmed_at !== null && session.token_hash === caller.tokenHash
  const age = isConfirmed ? clock.now() - (session.confirmed_at ?? 0) : Infinity
  // A clock that was set back invalidates the confirmation.
  if (age < 0 || age >= limits.confirmationTime) throw new AppError('CONFIRMATION_NEEDED')
}
