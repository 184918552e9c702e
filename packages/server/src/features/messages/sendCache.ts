import type { SendFacts, SendKey } from './sendQueries.ts'

/** Bounds the memory that one-time senders can use; the entry cached longest ago goes first. */
const maxEntries = 10_000

/**
 * Caches the facts needed to send, for senders who continue under the same envelope. They may be outdated: a message is
 * stored only if the versions of both users and the lifetime are still the same. The envelope itself never changes, and
 * lives until the cached expiry.
 */
export function createSendCache() {
  /** Keyed by envelope id: an envelope belongs to one connection and one sender. */
  const facts = new Map<string, SendFacts>()
  return {
    /** Undefined if nothing is cached, or if the envelope would have to live longer. */
    find({ connectionId, userId, envelopeId }: SendKey, expiresAt: number): SendFacts | undefined {
      const found = facts.get(envelopeId)
      if (found?.envelope_connection !== connectionId || found.envelope_from !== userId) return undefined
      return (found.envelope_expires_at ?? 0) >= expiresAt ? found : undefined
    },
    /** Call only after the commit of a new message. */
    store({ envelopeId }: SendKey, known: SendFacts): void {
      if (facts.get(envelopeId) === known) return
      facts.delete(envelopeId)
      facts.set(envelopeId, known)
      if (facts.size <= maxEntries) return
      const [oldest] = facts.keys()
      if (oldest !== undefined) facts.delete(oldest)
    },
    remove: ({ envelopeId }: SendKey) => void facts.delete(envelopeId),
  }
}
