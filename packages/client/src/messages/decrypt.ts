import type { Result } from '@privity/contract/endpoint'
import { type Message, messages as contract, type Progress } from '@privity/contract/messages'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { E2eeError, fromBase64url, type MessageBody, openMessage } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import {
  CallError,
  type CallErrorCode,
  isCallError,
  isRetryable,
  type UserMessage,
  toUserMessage,
} from '../transport/callError.ts'
import type { Envelopes } from './envelopes.ts'
import type { Expiry } from './expiry.ts'
import { safeFileName } from './fileName.ts'
import type { Contacts } from '../trust/contacts.ts'
import type { DecryptedMessage } from '../types.ts'

export interface Page {
  before?: number | undefined
  /** At most limits.maxMessagesPage. */
  limit?: number | undefined
}

/** The messages of conversations, fetched from the server and decrypted. */
export interface DecryptedMessages {
  /** Decrypts one message. A message that cannot be decrypted does not throw: its body holds the reason. */
  decrypt(message: Message): Promise<DecryptedMessage>
  /** Lists the newest page, or the one before `before` (a seq), oldest first. */
  list(connectionId: string, page?: Page): Promise<DecryptedMessage[]>
  /** Finds the message with this number; undefined if it no longer exists. */
  find(connectionId: string, seq: number): Promise<DecryptedMessage | undefined>
  /** Fetches messages that arrived while offline, so that their senders see them delivered. */
  catchUp(): Promise<void>
  unreadCounts(): Promise<Result<typeof contract.unreadCounts>>
  progress(connectionId: string): Promise<Progress[]>
  markRead(connectionId: string): Promise<void>
}

/** Conversations that are fetched automatically after a reconnect. */
const maxCaughtUp = 20

const codeOf: Partial<Record<E2eeError['code'], CallErrorCode>> = {
  BAD_SIGNATURE: 'MESSAGE_SIGNATURE',
  BAD_COMMITMENT: 'MESSAGE_COMMITMENT',
  AUTHENTICATION_FAILED: 'MESSAGE_ALTERED',
  WRONG_BINDING: 'MESSAGE_MISPLACED',
}

/**
 * Returns why a message is not shown. MESSAGE_DESTROYED: the keyring has no seed of the user's epoch that the envelope
 * names. MESSAGE_UNREADABLE: the message or its envelope is malformed or missing, or the failure is an unknown one.
 */
function reasonOf(error: unknown): UserMessage {
  if (isCallError(error, 'KEY_DESTROYED')) return toUserMessage('MESSAGE_DESTROYED')
  if (isCallError(error, 'MESSAGE_BETWEEN_KEYS')) return toUserMessage(error.code)
  return toUserMessage((error instanceof E2eeError && codeOf[error.code]) || 'MESSAGE_UNREADABLE')
}

/** Makes a file name that a sender chose harmless before it is shown or saved. */
const withSafeName = (body: MessageBody): MessageBody =>
  body.kind === 'file' ? { ...body, name: safeFileName(body.name) } : body

export function createDecryptedMessages(deps: {
  call: Call
  userId: string
  envelopes: Envelopes
  contacts: Contacts
  expiry: Expiry
  /** Reports to the server that messages up to `seq` have arrived. */
  reportReceived: (connectionId: string, seq: number) => void
  onOwnDecrypted: (message: DecryptedMessage) => void
}): DecryptedMessages {
  const { call, userId, envelopes, contacts, expiry } = deps

  /** Fetches the envelope if the notice lacks it: an earlier notice may have carried it to another tab. */
  async function fetchEnvelope(message: Message): Promise<void> {
    const params = { id: message.connectionId }
    const found = await call(contract.list, { params, query: { after: message.seq - 1, limit: 1 } })
    for (const { envelope } of found) if (envelope?.connectionId === message.connectionId) envelopes.remember(envelope)
  }

  /** Whether the sender may have signed with a key between the accepted ones, which the user never saw. */
  const isBetweenKeys = ({ senderId, connectionId, createdAt }: Message, error: unknown): boolean =>
    senderId !== userId &&
    error instanceof E2eeError &&
    error.code === 'BAD_SIGNATURE' &&
    contacts.acceptedNewKeyAfter(connectionId, createdAt)

  async function decryptBody(message: Message): Promise<Pick<DecryptedMessage, 'body' | 'ownerEpoch' | 'earlierKey'>> {
    const form = readSealedMessage(fromBase64url(message.content))
    if (!form) throw new E2eeError('MALFORMED', 'The message has no known form.')
    if (!envelopes.has(form.envelopeId)) await fetchEnvelope(message)
    const { envelope, conversationKey, senderIdentityKey } = await envelopes
      .open(form.envelopeId)
      .catch((error: unknown) => {
        throw isBetweenKeys(message, error) ? new CallError('MESSAGE_BETWEEN_KEYS', { cause: error }) : error
      })
    const { content } = message
    const { messageId, body } = await openMessage({ content, conversationKey, envelope, senderIdentityKey })
    const isBound =
      messageId === message.id &&
      envelope.from === message.senderId &&
      envelope.connectionId === message.connectionId &&
      body.kind === message.messageType
    if (!isBound) throw new E2eeError('WRONG_BINDING', 'The message belongs to another conversation.')
    const isEarlierKey = message.senderId !== userId && senderIdentityKey !== contacts.acceptedKey(message.connectionId)
    return { body: withSafeName(body), ownerEpoch: envelope.epochFrom, ...(isEarlierKey && { earlierKey: true }) }
  }

  /** Decrypts a message of this connection; a message of another connection becomes unreadable. */
  async function decrypt(message: Message, connectionId: string = message.connectionId): Promise<DecryptedMessage> {
    const { envelope } = message
    const belongs = message.connectionId === connectionId && (envelope?.connectionId ?? connectionId) === connectionId
    if (belongs && envelope) envelopes.remember(envelope)
    const { id, seq, senderId, createdAt, expiresAt, filePath, fileSize, fileName, fileKey } = message
    const mine = senderId === userId
    const metadata = {
      id,
      connectionId,
      seq,
      senderId,
      mine,
      createdAt,
      expiresAt,
      filePath,
      fileSize,
      fileName,
      fileKey,
    }
    expiry.watch(metadata)
    try {
      if (!belongs) throw new E2eeError('WRONG_BINDING', 'The message belongs to another conversation.')
      const decrypted = { ...metadata, ...(await decryptBody(message)) }
      if (mine) deps.onOwnDecrypted(decrypted)
      return decrypted
    } catch (error) {
      // A failed call is not the message's fault.
      if (isRetryable(error) || isCallError(error, 'NOT_SIGNED_IN')) throw error
      return { ...metadata, body: { kind: 'unreadable', reason: reasonOf(error) } }
    }
  }

  async function list(connectionId: string, { before, limit }: Page = {}) {
    const found = await call(contract.list, { params: { id: connectionId }, query: { before, limit } })
    for (const { envelope } of found) if (envelope?.connectionId === connectionId) envelopes.remember(envelope)
    const decrypted = await Promise.all(found.map((message) => decrypt(message, connectionId)))
    const last = decrypted.findLast((message) => !message.mine)
    if (last) deps.reportReceived(connectionId, last.seq)
    return decrypted
  }

  return {
    decrypt,
    list,
    async find(connectionId, seq) {
      const query = { after: seq - 1, limit: 1 }
      const [found] = await call(contract.list, { params: { id: connectionId }, query })
      return found?.seq === seq ? decrypt(found, connectionId) : undefined
    },
    async catchUp() {
      const unread = await call(contract.unreadCounts, {})
      for (const { connectionId } of unread.slice(0, maxCaughtUp)) await list(connectionId)
    },
    unreadCounts: () => call(contract.unreadCounts, {}),
    progress: (connectionId) => call(contract.progress, { params: { id: connectionId } }),
    markRead: async (connectionId) => void (await call(contract.markRead, { params: { id: connectionId } })),
  }
}
