import type { Message } from '@privity/contract/messages'
import type { Emitter } from '../transport/emitter.ts'
import type { DecryptedMessages } from './decrypt.ts'
import type { DeletedMessages } from './deletedMessages.ts'
import type { MessageOrder } from './order/messageOrder.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { ClientEvents } from '../types.ts'

/** Receives messages from the socket and from the responses to own sends. */
export interface MessageReceiver {
  /** Decrypts a message and emits it: once each, in order within a connection. */
  receive(message: Message): Promise<void>
  /** Emits that a message was deleted, if its sender has signed that. */
  receiveDeleted(message: Message): Promise<void>
  removeExpired(ids: readonly string[]): void
}

export function createMessageReceiver(deps: {
  userId: string
  clock: Pick<ServerClock, 'confirm'>
  decryptedMessages: DecryptedMessages
  deletedMessages: DeletedMessages
  order: Pick<MessageOrder, 'check' | 'recordShown'>
  emitter: Emitter<ClientEvents>
  reportReceived: (connectionId: string, seq: number) => void
}): MessageReceiver {
  const { userId, clock, decryptedMessages, deletedMessages, order, emitter, reportReceived } = deps
  /** The sender of each emitted message by id, until it expires: an own one comes by the socket and the response. */
  const emitted = new Map<string, string>()
  const lastByConnection = new Map<string, Promise<void>>()

  async function decryptAndEmit(message: Message, previous: Promise<void> | undefined): Promise<void> {
    const decrypting = clock.confirm(message.createdAt).then(() => decryptedMessages.decrypt(message))
    decrypting.catch(() => {})
    await previous?.catch(() => {})
    const emittedFrom = emitted.get(message.id)
    if (emittedFrom === userId || emittedFrom === message.senderId) return
    const decrypted = await decrypting
    // A contact's message under the id of an own one may have come first: the own one is emitted too if it opens.
    if (!decrypted || (emittedFrom !== undefined && !decrypted.signed)) return
    emitted.set(message.id, message.senderId)
    order.recordShown(message.connectionId, new Map([[message.id, decrypted.signed && decrypted]]))
    // A list that is newer than this notice may have brought the deletion already.
    const deleted = deletedMessages.find(message)
    if (deleted) return emitter.emit('deleted', deleted)
    emitter.emit('message', decrypted)
    if (message.senderId !== userId) reportReceived(message.connectionId, message.seq)
    // A check that fails for want of a network is made with the next message or list.
    order.check(message.connectionId).catch(() => {})
  }

  async function verifyAndEmit(message: Message, previous: Promise<void> | undefined): Promise<void> {
    await previous?.catch(() => {})
    const decrypted = await decryptedMessages.decrypt(message)
    if (decrypted?.body.kind !== 'deleted') return
    // Otherwise the notice of the message itself, which may come later, would still emit it.
    emitted.set(message.id, message.senderId)
    emitter.emit('deleted', decrypted)
  }

  function inTurn(message: Message, handle: typeof decryptAndEmit): Promise<void> {
    const { connectionId } = message
    const turn = handle(message, lastByConnection.get(connectionId))
    lastByConnection.set(connectionId, turn)
    return turn
  }

  return {
    receive: (message) => inTurn(message, decryptAndEmit),
    receiveDeleted: (message) => inTurn(message, verifyAndEmit),
    removeExpired(ids) {
      for (const id of ids) emitted.delete(id)
    },
  }
}
