import type { AccountKey } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Call } from '../transport/call.ts'
import { toUserMessage } from '../transport/callError.ts'
import type { Emitter } from '../transport/emitter.ts'
import { loadLazily } from '../transport/lazy.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { LiveSocket } from '../transport/socket.ts'
import type { Contacts } from '../trust/types.ts'
import type { ClientEvents, DecryptedMessage } from '../types.ts'
import { openBrowserMemory } from './browserMemory.ts'
import { createDecryptedMessages, type DecryptedMessages } from './decrypt.ts'
import { createDeletedMessages } from './deletedMessages.ts'
import type { DeletableMessage, Deletions } from './deletion.ts'
import { createDuplicateTexts, type DuplicateTexts } from './duplicateText.ts'
import type { Envelopes } from './envelopes.ts'
import { createExpiry, type Expiry } from './expiry.ts'
import { createMessageOrder, type MessageOrder } from './order/messageOrder.ts'
import { createMessageReceiver, type MessageReceiver } from './receive.ts'

/** The messages of all conversations that a page knows: decrypted, in order, counted, until they expire. */
export interface Conversations {
  decryptedMessages: DecryptedMessages
  receiver: MessageReceiver
  order: MessageOrder
  duplicateTexts: DuplicateTexts
  checkExpiry: Expiry['check']
  /** Watches the messages that another page has shown until they expire. Returns those that have not. */
  restore(messages: readonly DecryptedMessage[]): Promise<DecryptedMessage[]>
  /** Deletes an own message for both sides. */
  delete(message: DeletableMessage): Promise<void>
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

export async function openConversations(deps: {
  userId: string
  accountKey: AccountKey
  call: Call
  clock: ServerClock
  device: Device
  tabs: Tabs
  emitter: Emitter<ClientEvents>
  live: LiveSocket
  retention: () => number
  keyring: Keyring
  envelopes: Envelopes
  contacts: Contacts
}): Promise<Conversations> {
  const { userId, accountKey, clock, device, emitter } = deps
  const own = { userId, accountKey, device, clock }
  const reportReceived = (connectionId: string, seq: number) => deps.live.send({ type: 'received', connectionId, seq })
  const memory = await openBrowserMemory({ ...own, tabs: deps.tabs })
  const duplicateTexts = createDuplicateTexts(own)
  const deletions = loadLazily<Deletions>(async () => (await import('./deletion.ts')).createDeletions(deps))
  const order = createMessageOrder({
    clock,
    retention: deps.retention,
    memory,
    presentSince: deps.contacts.presentSince,
    listWhole: (connectionId) => decryptedMessages.listWhole(connectionId),
    onChange: (connectionId) => emitter.emit('order_changed', { connectionId, marks: order.marks(connectionId) }),
    onMissing: () => emitter.emit('alarm', toUserMessage('MESSAGE_MISSING')),
  })
  const expiry = createExpiry(clock, (expired) => {
    receiver.removeExpired(expired.ids)
    duplicateTexts.removeExpired(expired.ids)
    order.removeExpired(expired.connectionId, expired.ids)
    emitter.emit('expired', expired)
  })
  const deletedMessages = createDeletedMessages(clock)
  const decryptedMessages = createDecryptedMessages({
    ...deps,
    expiry,
    deletions,
    deletedMessages,
    order,
    memory,
    reportReceived,
    onOwnDecrypted: duplicateTexts.addDecrypted,
  })

  async function restore(messages: readonly DecryptedMessage[]): Promise<DecryptedMessage[]> {
    const restored: DecryptedMessage[] = []
    for (const message of messages) {
      const expiresAt = Math.min(message.expiresAt, (await memory.expiryOf(message)) ?? Infinity)
      if (expiresAt <= clock.now()) continue
      expiry.watch({ ...message, expiresAt })
      restored.push({ ...message, expiresAt })
    }
    return restored
  }

  const receiver = createMessageReceiver({
    ...deps,
    decryptedMessages,
    deletedMessages,
    order,
    reportReceived,
  })
  return {
    decryptedMessages,
    receiver,
    order,
    duplicateTexts,
    checkExpiry: expiry.check,
    restore,
    async delete(message) {
      // Before the answer, which the server can withhold or forge: later messages name what this one named.
      order.recordDeleted(message.connectionId, message.id)
      await receiver.receiveDeleted(await deletions.delete(message))
    },
    async stop() {
      expiry.stop()
      order.stop()
      await Promise.all([duplicateTexts.stop(), memory.stop()])
    },
  }
}
