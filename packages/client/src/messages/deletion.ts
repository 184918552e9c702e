import { type Message, messages as contract } from '@privity/contract/messages'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { E2eeError, fromBase64url, messageLink } from '@privity/e2ee'
import { signDeletion, verifyDeletion } from '@privity/e2ee/deletion'
import type { Keyring } from '../keys/keyring.ts'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'
import type { Contacts } from '../trust/types.ts'
import type { DecryptedMessage } from '../types.ts'
import type { OpenedEnvelope } from './envelopes.ts'

export type DeletableMessage = Pick<DecryptedMessage, 'id' | 'connectionId' | 'signed'>

/** Deletes own messages, and verifies that a message which the server calls deleted was deleted by its sender. */
export interface Deletions {
  /** Deletes an own message for both sides. Returns what the server keeps of it. */
  delete(message: DeletableMessage): Promise<Message>
  /**
   * Returns the number of the deleted message under its envelope, which is `opened`. Throws DELETION_UNSIGNED, or
   * E2eeError.
   */
  verify(message: Message, deletion: string, opened: OpenedEnvelope): Promise<number>
}

export function createDeletions({
  call,
  keyring,
  contacts,
}: {
  call: Call
  keyring: Pick<Keyring, 'userId' | 'identity' | 'current' | 'identityKeyAt'>
  contacts: Pick<Contacts, 'accepted'>
}): Deletions {
  const { userId, identity } = keyring

  /** Returns the number of the deleted message; undefined if this key did not sign. */
  async function verifyBy(key: string, ...[deleted, deletion]: Signed): Promise<number | undefined> {
    try {
      return await verifyDeletion(key, deleted, deletion)
    } catch (error) {
      if (error instanceof E2eeError) return undefined
      throw error
    }
  }

  /** The keys that the sender has had since the message, each of which may have signed its deletion. */
  function acceptedSince(connectionId: string, senderIdentityKey: string): readonly string[] {
    const { pin } = contacts.accepted(connectionId) ?? {}
    const keys = pin ? [pin.identityKey, ...pin.previous] : []
    return keys.slice(0, keys.indexOf(senderIdentityKey) + 1)
  }

  const ownKeysSince = (epoch: number): string[] =>
    Array.from({ length: keyring.current().n - epoch + 1 }, (_, i) => keyring.identityKeyAt(epoch + i))

  type Signed = [deleted: Parameters<typeof verifyDeletion>[1], deletion: string]

  return {
    async delete({ id: messageId, connectionId, signed }) {
      if (!signed) throw new CallError('MESSAGE_NOT_FOUND')
      const { envelopeId, link, n } = signed
      const deletion = await signDeletion(identity, { userId, connectionId, messageId, envelopeId, link }, n)
      return call(contract.delete, { params: { id: messageId }, body: { deletion } })
    },
    async verify({ id: messageId, connectionId, senderId, content }, deletion, { envelope, senderIdentityKey }) {
      const isBound = envelope.from === senderId && envelope.connectionId === connectionId
      if (!isBound || readSealedMessage(fromBase64url(content))?.messageId !== messageId)
        throw new E2eeError('WRONG_BINDING', 'The message is not the one that the server names.')
      const deleted = {
        userId: senderId,
        connectionId,
        messageId,
        envelopeId: envelope.id,
        link: await messageLink(content),
      }
      const since =
        senderId === userId ? ownKeysSince(envelope.epochFrom) : acceptedSince(connectionId, senderIdentityKey)
      for (const key of new Set([senderIdentityKey, ...since])) {
        const n = await verifyBy(key, deleted, deletion)
        if (n !== undefined) return n
      }
      throw new CallError('DELETION_UNSIGNED')
    },
  }
}
