import type { Asked, SendFacts } from './sendQueries.ts'

/** So that those who send once and never again cannot fill the memory; who was not heard of the longest leaves first. */
const most = 10_000

const keyOf = ({ connectionId, userId, envelopeId }: Asked): string => `${connectionId} ${userId} ${envelopeId}`

/**
 * What sending has to know, from the last time it was asked, of those who go on under the same envelope. It may be
 * outdated: whoever goes by it stores only on the condition that the users' versions are still the same. The envelope
 * itself never changes and lives as long as it says.
 */
export function createRememberedFacts() {
  const facts = new Map<string, SendFacts>()
  return {
    /** Undefined where it must be asked: nothing is known, or the envelope would have to live longer. */
    find(asked: Asked, expiresAt: number): SendFacts | undefined {
      const found = facts.get(keyOf(asked))
      return found !== undefined && (found.envelope_expires_at ?? 0) >= expiresAt ? found : undefined
    },
    /** Only what is committed, of a message that was stored. */
    remember(asked: Asked, known: SendFacts): void {
      const key = keyOf(asked)
      facts.delete(key)
      facts.set(key, known)
      if (facts.size <= most) return
      const [oldest] = facts.keys()
      if (oldest !== undefined) facts.delete(oldest)
    },
    forget: (asked: Asked) => void facts.delete(keyOf(asked)),
  }
}
