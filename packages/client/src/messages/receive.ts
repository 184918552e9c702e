import type { Message } from '@privity/contract/messages'
import type { Emitter } from '../transport/emitter.ts'
import type { DecryptedMessages } from './decrypt.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { ClientEvents } from '../types.ts'

/** Receives messages from the socket and from the responses to own sends. */
export interface MessageReceiver {
  /** Decrypts a message and emits it: once each, in order within a connection. */
  receive(message: Message): Promise<void>
  forget(ids: readonly string[]): void
}

export function createMessageReceiver(deps: {
  userId: string
  clock: Pick<ServerClock, 'confirm'>
  decryptedMessages: DecryptedMessages
  emitter: Emitter<ClientEvents>
  received: (connectionId: string, seq: number) => void
}): MessageReceiver {
  const { userId, clock, decryptedMessages, emitter, received } = deps
  /** Ids already emitted, until they expire: an own message arrives by the socket and by the response. */
  const told = new Set<string>()
  const turns = new Map<string, Promise<void>>()

  async function tell(message: Message, before: Promise<void> | undefined): Promise<void> {
    const opening = clock.confirm(message.createdAt).then(() => decryptedMessages.decrypt(message))
    opening.catch(() => {})
    await before?.catch(() => {})
    if (told.has(message.id)) return
    const opened = await opening
    told.add(message.id)
    emitter.emit('message', opened)
    if (message.senderId !== userId) received(message.connectionId, message.seq)
  }

  return {
    receive(message) {
      const { connectionId } = message
      const turn = tell(message, turns.get(connectionId))
      turns.set(connectionId, turn)
      return turn
    },
    forget(ids) {
      for (const id of ids) told.delete(id)
    },
  }
}
