import type { Asked, SendFacts } from './sendQueries.ts'

/** So that those who send once and never again cannot fill the memory; what was asked the longest ago leaves first. */
const most = 10_000

/**
 * What sending has to know, from the last time it was asked, of those who go on under the same envelope. It may be
 * outdated: whoever goes by it stores only on the condition that the users' versions are still the same. The envelope
 * itself never changes and lives as long as it says.
 */
export function createRememberedFacts() {
  /** By the envelope, which is of one connection and one sender. */
  const facts = new Map<string, SendFacts>()
  return {
    /** Undefined where it must be asked: nothing is known, or the envelope would have to live longer. */
    find({ connectionId, userId, envelopeId }: Asked, expiresAt: number): SendFacts | undefined {
      const found = facts.get(envelopeId)
      if (found?.envelope_connection !== connectionId || found.envelope_from !== userId) return undefined
      return (found.envelope_expires_at ?? 0) >= expiresAt ? found : undefined
    },
    /** Only what is committed, of a message that was stored. */
    remember({ envelopeId }: Asked, known: SendFacts): void {
      if (facts.get(envelopeId) === known) return
      facts.delete(envelopeId)
      facts.set(envelopeId, known)
      if (facts.size <= most) return
      const [oldest] = facts.keys()
      if (oldest !== undefined) facts.delete(oldest)
    },
    forget: ({ envelopeId }: Asked) => void facts.delete(envelopeId),
  }
}
