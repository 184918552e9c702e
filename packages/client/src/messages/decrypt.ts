import type { Result } from '@privity/contract/endpoint'
import { type Message, messages as contract, type Progress } from '@privity/contract/messages'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { E2eeError, fromBase64url, type MessageBody, openMessage } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { CallError, type CallErrorCode, isCallError, isPassing, type Saying, saying } from '../transport/callError.ts'
import type { Envelopes } from './envelopes.ts'
import type { Expiry } from './expiry.ts'
import { safeFileName } from './fileName.ts'
import type { Peers } from '../trust/contacts.ts'
import type { OpenedMessage } from '../types.ts'

export interface Page {
  before?: number | undefined
  /** At most limits.messagesPageMost. */
  limit?: number | undefined
}

/** Messages as the server gives them, opened. */
export interface Reading {
  /** Never throws for one message that cannot be read: its body says why. */
  open(message: Message): Promise<OpenedMessage>
  /** The newest page, or the one before `before` (a seq), oldest first. */
  list(connectionId: string, page?: Page): Promise<OpenedMessage[]>
  /** The message with this number, or undefined where there is none any more. */
  find(connectionId: string, seq: number): Promise<OpenedMessage | undefined>
  /** Receives what came while nobody was connected, so that its senders see it delivered. */
  catchUp(): Promise<void>
  unreadCounts(): Promise<Result<typeof contract.unreadCounts>>
  progress(connectionId: string): Promise<Progress[]>
  markRead(connectionId: string): Promise<void>
}

/** Conversations that are fetched by themselves after a reconnect. */
const mostCaughtUp = 20

const reasons: Partial<Record<E2eeError['code'], CallErrorCode>> = {
  BAD_SIGNATURE: 'MESSAGE_SIGNATURE',
  BAD_COMMITMENT: 'MESSAGE_COMMITMENT',
  AUTHENTICATION_FAILED: 'MESSAGE_ALTERED',
  WRONG_BINDING: 'MESSAGE_MISPLACED',
}

function reasonOf(error: unknown): Saying {
  if (isCallError(error, 'KEY_DESTROYED')) return saying('MESSAGE_DESTROYED')
  if (isCallError(error, 'MESSAGE_BETWEEN_KEYS')) return saying(error.code)
  return saying((error instanceof E2eeError && reasons[error.code]) || 'MESSAGE_UNREADABLE')
}

/** A name that a sender chose is made harmless before anything shows it or saves under it. */
const harmless = (body: MessageBody): MessageBody =>
  body.kind === 'file' ? { ...body, name: safeFileName(body.name) } : body

export function createReading(deps: {
  call: Call
  userId: string
  envelopes: Envelopes
  peers: Peers
  expiry: Expiry
  received: (connectionId: string, seq: number) => void
  ownOpened: (message: OpenedMessage) => void
}): Reading {
  const { call, userId, envelopes, peers, expiry } = deps

  /** A notice may come without the envelope that an earlier one brought to another tab: ask for it. */
  async function fetchEnvelope(message: Message): Promise<void> {
    const params = { id: message.connectionId }
    const found = await call(contract.list, { params, query: { after: message.seq - 1, limit: 1 } })
    for (const { envelope } of found) if (envelope?.connectionId === message.connectionId) envelopes.remember(envelope)
  }

  /** Honest people who replace their keys twice send under a key that was never there to be accepted. */
  const isBetweenKeys = ({ senderId, connectionId, createdAt }: Message, error: unknown): boolean =>
    senderId !== userId &&
    error instanceof E2eeError &&
    error.code === 'BAD_SIGNATURE' &&
    peers.acceptedAnotherAfter(connectionId, createdAt)

  async function readBody(message: Message): Promise<Pick<OpenedMessage, 'body' | 'ownerEpoch' | 'earlierKey'>> {
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
    const same =
      messageId === message.id &&
      envelope.from === message.senderId &&
      envelope.connectionId === message.connectionId &&
      body.kind === message.messageType
    if (!same) throw new E2eeError('WRONG_BINDING', 'The message belongs to another conversation.')
    const earlier = message.senderId !== userId && senderIdentityKey !== peers.acceptedKey(message.connectionId)
    return { body: harmless(body), ownerEpoch: envelope.epochFrom, ...(earlier && { earlierKey: true }) }
  }

  /** `connectionId`: the conversation it was asked for or came in; one of another conversation does not open. */
  async function open(message: Message, connectionId: string = message.connectionId): Promise<OpenedMessage> {
    const { envelope } = message
    const belongs = message.connectionId === connectionId && (envelope?.connectionId ?? connectionId) === connectionId
    if (belongs && envelope) envelopes.remember(envelope)
    const { id, seq, senderId, createdAt, expiresAt, filePath, fileSize, fileName, fileKey } = message
    const mine = senderId === userId
    const opened = {
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
    expiry.watch(opened)
    try {
      if (!belongs) throw new E2eeError('WRONG_BINDING', 'The message belongs to another conversation.')
      const read = { ...opened, ...(await readBody(message)) }
      if (mine) deps.ownOpened(read)
      return read
    } catch (error) {
      // No answer from the server says nothing about the message.
      if (isPassing(error) || isCallError(error, 'NOT_SIGNED_IN')) throw error
      return { ...opened, body: { kind: 'unreadable', reason: reasonOf(error) } }
    }
  }

  async function list(connectionId: string, { before, limit }: Page = {}) {
    const found = await call(contract.list, { params: { id: connectionId }, query: { before, limit } })
    for (const { envelope } of found) if (envelope?.connectionId === connectionId) envelopes.remember(envelope)
    const opened = await Promise.all(found.map((message) => open(message, connectionId)))
    const last = opened.findLast((message) => !message.mine)
    if (last) deps.received(connectionId, last.seq)
    return opened
  }

  return {
    open,
    list,
    async find(connectionId, seq) {
      const query = { after: seq - 1, limit: 1 }
      const [found] = await call(contract.list, { params: { id: connectionId }, query })
      return found?.seq === seq ? open(found, connectionId) : undefined
    },
    async catchUp() {
      const unread = await call(contract.unreadCounts, {})
      for (const { connectionId } of unread.slice(0, mostCaughtUp)) await list(connectionId)
    },
    unreadCounts: () => call(contract.unreadCounts, {}),
    progress: (connectionId) => call(contract.progress, { params: { id: connectionId } }),
    markRead: async (connectionId) => void (await call(contract.markRead, { params: { id: connectionId } })),
  }
}
