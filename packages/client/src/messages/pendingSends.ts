/** Lets one who has put a message into the outbox wait for how it ends. */
export interface Sending {
  /** Resolves when the server has the message; rejects when it cannot be sent. */
  of(messageId: string): Promise<void>
  succeeded(messageId: string): void
  failed(messageId: string, error: unknown): void
}

export function createSending(): Sending {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  return {
    of(messageId) {
      const ending = Promise.withResolvers<void>()
      waiting.set(messageId, ending)
      return ending.promise
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
