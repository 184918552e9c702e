import type { FounderProof } from '@privity/contract/founder/secondFactor'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit/audit.ts'
import { type Asked, confirmed } from './confirmation.ts'

/** Marks only this session as confirmed and renews its token, as for members. */
export function confirmSession(
  asked: Asked,
  given: FounderProof & { password: string },
): Promise<{ confirmedUntil: number; token: string | undefined }> {
  const { core, founder } = asked
  return confirmed(asked, given, async (tx) => {
    const at = core.clock.now()
    await tx.run('update founder_sessions set confirmed_at = ? where id = ?', [at, founder.sessionId])
    await audit(tx, { action: 'session_confirmed', actorId: 'founder', address: founder.address, at })
    return { confirmedUntil: at + limits.confirmationTime, token: await core.founderSessions.renew(tx, founder) }
  })
}
