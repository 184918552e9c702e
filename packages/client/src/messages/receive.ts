import type { Message } from '@privity/contract/messages'
import type { Emitter } from '../transport/emitter.ts'
import type { DecryptedMessages } from './decrypt.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { ClientEvents } from '../types.ts'

/** Receives messages from the socket and from the responses to own sends. */
export interface MessageReceiver {
  /** Decrypts a message and emits it: once each, in order within a connection. */
  receive(message: Message): Promise<void>
  removeExpired(ids: readonly string[]): void
}

export function createMessageReceiver(deps: {
  userId: string
  clock: Pick<ServerClock, 'confirm'>
  decryptedMessages: DecryptedMessages
  emitter: Emitter<ClientEvents>
  reportReceived: (connectionId: string, seq: number) => void
}): MessageReceiver {
  const { userId, clock, decryptedMessages, emitter, reportReceived } = deps
  /** Ids already emitted, until they expire: an own message arrives by the socket and by the response. */
  const emitted = new Set<string>()
  const lastByConnection = new Map<string, Promise<void>>()

  async function decryptAndEmit(message: Message, previous: Promise<void> | undefined): Promise<void> {
    const decrypting = clock.confirm(message.createdAt).then(() => decryptedMessages.decrypt(message))
    decrypting.catch(() => {})
    await previous?.catch(() => {})
    if (emitted.has(message.id)) return
    const decrypted = await decrypting
    emitted.add(message.id)
    emitter.emit('message', decrypted)
    if (message.senderId !== userId) reportReceived(message.connectionId, message.seq)
  }

  return {
    receive(message) {
      const { connectionId } = message
      const turn = decryptAndEmit(message, lastByConnection.get(connectionId))
      lastByConnection.set(connectionId, turn)
      return turn
    },
    removeExpired(ids) {
      for (const id of ids) emitted.delete(id)
    },
  }
}
