/** Promises for messages in the outbox. */
export interface PendingSends {
  /** Resolves when the server has the message; rejects when it cannot be sent. */
  waitFor(messageId: string): Promise<void>
  succeeded(messageId: string): void
  failed(messageId: string, error: unknown): void
}

export function createPendingSends(): PendingSends {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  return {
    waitFor(messageId) {
      const outcome = Promise.withResolvers<void>()
      waiting.set(messageId, outcome)
      return outcome.promise
    },
    succeeded(messageId) {
      waiting.get(messageId)?.resolve()
      waiting.delete(messageId)
    },
    failed(messageId, error) {
      waiting.get(messageId)?.reject(error)
      waiting.delete(messageId)
    },
  }
}
