import type { Result } from '@privity/contract/endpoint'
import { type Message, messages as contract, type MessageProgress } from '@privity/contract/messages'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { E2eeError, fromBase64url, type MessageBody, messageLink, openMessage } from '@privity/e2ee'
import { limits } from '@privity/contract/limits'
import type { Call } from '../transport/call.ts'
import {
  CallError,
  type CallErrorCode,
  isCallError,
  maySucceedLater,
  type UserMessage,
  toUserMessage,
} from '../transport/callError.ts'
import type { DeletedMessages } from './deletedMessages.ts'
import type { Deletions } from './deletion.ts'
import type { Envelopes, OpenedEnvelope } from './envelopes.ts'
import type { Expiry } from './expiry.ts'
import { createPageFetch, type Page } from './fetchPage.ts'
import { safeFileName } from './fileName.ts'
import { withKnownExpiry } from './quote.ts'
import type { Contacts } from '../trust/types.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { BrowserMemory } from './browserMemory.ts'
import type { MessageOrder } from './order/messageOrder.ts'
import type { DecryptedMessage, SignedPlace } from '../types.ts'

/** The messages of conversations, fetched from the server and decrypted. */
export interface DecryptedMessages {
  /**
   * Decrypts one message. A message that cannot be decrypted does not throw: its body holds the reason. Undefined for
   * one that has expired, even if the server shows it again with a later time, and for a contact's message under the id
   * of an own one.
   */
  decrypt(message: Message): Promise<DecryptedMessage | undefined>
  /** Lists the newest page, or the one before `before` (a seq), oldest first. */
  list(connectionId: string, page?: Page): Promise<DecryptedMessage[]>
  /** Finds the message with this number; undefined if it no longer exists. */
  find(connectionId: string, seq: number): Promise<DecryptedMessage | undefined>
  /** Fetches all living messages of a conversation, to find those left out. The page does not show them for that. */
  listWhole(connectionId: string): Promise<void>
  check: MessageOrder['check']
  /** Fetches messages that arrived while offline, so that their senders see them delivered. */
  catchUp(): Promise<void>
  unreadCounts(): Promise<Result<typeof contract.unreadCounts>>
  progress(connectionId: string): Promise<MessageProgress[]>
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
 * names. MESSAGE_UNREADABLE: the message or its envelope is malformed or missing, the server's keys of the contact
 * cannot be used (KEY_OLD, KEYS_FORGED, RESPONSE_UNREADABLE), or the failure is an unknown one.
 */
function reasonOf(error: unknown): UserMessage {
  if (isCallError(error, 'KEY_DESTROYED')) return toUserMessage('MESSAGE_DESTROYED')
  if (isCallError(error, 'MESSAGE_BETWEEN_KEYS', 'BEFORE_APPROVAL', 'DELETION_UNSIGNED'))
    return toUserMessage(error.code)
  return toUserMessage((error instanceof E2eeError && codeOf[error.code]) || 'MESSAGE_UNREADABLE')
}

/** Makes a file name that a sender chose harmless before it is shown or saved. */
const withSafeName = (body: MessageBody): MessageBody =>
  body.kind === 'file' ? { ...body, name: safeFileName(body.name) } : body

export function createDecryptedMessages(deps: {
  call: Call
  userId: string
  envelopes: Envelopes
  deletions: Pick<Deletions, 'verify'>
  deletedMessages: DeletedMessages
  contacts: Contacts
  expiry: Expiry
  clock: Pick<ServerClock, 'now' | 'steady' | 'correction' | 'isSynchronized'>
  retention: () => number
  order: MessageOrder
  memory: BrowserMemory
  /** Reports to the server that messages up to `seq` have arrived. */
  reportReceived: (connectionId: string, seq: number) => void
  onOwnDecrypted: (message: DecryptedMessage) => void
}): DecryptedMessages {
  const { call, userId, envelopes, contacts, expiry, clock, retention, order, memory } = deps
  /** The ids of own messages that were opened. */
  const ownIds = new Set<string>()
  /** A contact can send a message under the id of an own one. */
  const isUnderOwnId = ({ id, mine }: Pick<DecryptedMessage, 'id' | 'mine'>) => !mine && ownIds.has(id)

  /**
   * The time at which the server says that it stored a message, or the current time if that one is in the future: it
   * must not lengthen the life of the message.
   */
  function storedTimeOf({ createdAt }: Pick<Message, 'createdAt'>): number {
    const now = clock.now()
    return clock.isSynchronized() && createdAt > now + limits.clockTolerance ? now : createdAt
  }

  /** Remembers the envelopes that come with the messages. */
  async function fetchMessages(id: string, query: Page & { after?: number }) {
    const found = await call(contract.list, { params: { id }, query })
    for (const { envelope } of found) if (envelope) envelopes.remember(envelope)
    return found
  }

  /**
   * Whether the sender may have signed with a key that this user never saw: one between two accepted keys, or before
   * the first.
   */
  const isBetweenKeys = ({ senderId, connectionId, createdAt }: Message, error: unknown): boolean =>
    senderId !== userId &&
    error instanceof E2eeError &&
    error.code === 'BAD_SIGNATURE' &&
    contacts.hasAcceptedKeyAfter(connectionId, createdAt)

  /** `n`: the number of a deleted message under its envelope. */
  type Opened = Required<Pick<DecryptedMessage, 'body' | 'ownerEpoch' | 'expiresAt'>> &
    Pick<DecryptedMessage, 'earlierKey' | 'signed'> & { n?: number | undefined }

  async function openEnvelope(message: Message): Promise<OpenedEnvelope> {
    const form = readSealedMessage(fromBase64url(message.content))
    if (!form) throw new E2eeError('MALFORMED', 'The message has no known form.')
    // An earlier notice may have carried the envelope to another tab.
    if (!envelopes.has(form.envelopeId)) await fetchMessages(message.connectionId, { after: message.seq - 1, limit: 1 })
    return envelopes.open(form.envelopeId).catch((error: unknown) => {
      throw isBetweenKeys(message, error) ? new CallError('MESSAGE_BETWEEN_KEYS', { cause: error }) : error
    })
  }

  async function openDeleted(message: Message, deletion: string): Promise<Opened> {
    const opened = await openEnvelope(message)
    const n = await deps.deletions.verify(message, deletion, opened)
    const expiresAt = Math.min(message.expiresAt, opened.readableUntil)
    return { body: { kind: 'deleted' }, expiresAt, ownerEpoch: opened.envelope.epochFrom, n }
  }

  async function decryptBody(message: Message): Promise<Opened> {
    const { envelope, conversationKey, senderIdentityKey, readableUntil } = await openEnvelope(message)
    const { content } = message
    const { messageId, body, context } = await openMessage({ content, conversationKey, envelope, senderIdentityKey })
    const isBound =
      messageId === message.id &&
      envelope.from === message.senderId &&
      envelope.connectionId === message.connectionId &&
      body.kind === message.messageType
    if (!isBound) throw new E2eeError('WRONG_BINDING', 'The message is not the one that the server names.')
    const isEarlierKey = message.senderId !== userId && senderIdentityKey !== contacts.acceptedKey(message.connectionId)
    const signed = { ...context, link: await messageLink(content), envelopeId: envelope.id }
    return {
      body: await withKnownExpiry(withSafeName(body), message.connectionId, memory),
      signed,
      expiresAt: Math.min(message.expiresAt, readableUntil),
      ownerEpoch: envelope.epochFrom,
      ...(isEarlierKey && { earlierKey: true }),
    }
  }

  /**
   * The time until which a message, or its deletion, is shown: no later than its sender and the server let it live, and
   * than this browser was to show it, or its deletion, before. 0 for an expired message that the server shows again:
   * its createdAt is so long after the signed time that it would have expired before it was stored, even if messages
   * lived longer when it was sent. A deletion has no signed time: createdAt counts instead.
   */
  async function shownUntil(
    { id, connectionId, senderId, createdAt, expiresAt, deletion }: Message,
    { sentAt = createdAt, lifetime = retention() }: Partial<SignedPlace> = {},
  ): Promise<number> {
    const lives = Math.min(lifetime, retention())
    const lastStoredAt = sentAt + Math.min(lifetime, limits.retention) + limits.clockTolerance
    if (createdAt > lastStoredAt && sentAt + lives < clock.now()) return 0
    const storedAt = Math.min(storedTimeOf({ createdAt }), sentAt + lives + limits.clockTolerance)
    const place = { id, connectionId, mine: senderId === userId }
    const until = Math.min(expiresAt, storedAt + lives, (await memory.expiryOf(place)) ?? Infinity)
    if (deletion !== undefined) memory.recordShown(place, until)
    return until
  }

  /** Records the message as delivered, even where it cannot be opened. */
  async function recordOrder(
    message: Message,
    connectionId: string,
    opened?: Pick<Opened, 'signed' | 'body' | 'n'>,
    hasEnded?: boolean,
  ): Promise<void> {
    const { id, seq, senderId, createdAt, expiresAt, content } = message
    const { envelopeId } = readSealedMessage(fromBase64url(content)) ?? {}
    if (envelopeId === undefined) return
    const { signed: context, n = context?.n, body } = opened ?? {}
    const link = context?.link ?? (await messageLink(content))
    const place = { id, seq, mine: senderId === userId, createdAt, expiresAt, envelopeId }
    order.record(connectionId, { ...place, link, n, context, isDeleted: body?.kind === 'deleted' }, hasEnded)
  }

  /** Decrypts a message of this connection; a message of another connection becomes unreadable. */
  async function decrypt(
    message: Message,
    connectionId: string = message.connectionId,
  ): Promise<DecryptedMessage | undefined> {
    const { id, senderId, createdAt, envelope, deletion, filePath, fileSize, fileName, fileKey } = message
    const belongs = message.connectionId === connectionId
    if (envelope) envelopes.remember(envelope)
    // A message that the server numbers anew keeps its place, and is not shown twice.
    const seq = order.numberOf(connectionId, id) ?? message.seq
    const mine = senderId === userId
    if (isUnderOwnId({ id, mine })) return undefined
    const expiresAt = Math.min(message.expiresAt, storedTimeOf(message) + retention())
    const file = { filePath, fileSize, fileName, fileKey }
    const metadata = { id, connectionId, seq, senderId, mine, createdAt, expiresAt, ...file }
    try {
      if (!belongs) throw new E2eeError('WRONG_BINDING', 'The message is of another conversation.')
      const { n, ...opened } = await (deletion === undefined ? decryptBody(message) : openDeleted(message, deletion))
      const until = await shownUntil({ ...message, expiresAt: opened.expiresAt }, opened.signed)
      if (until <= clock.now()) {
        // The next own message names it all the same: the server may say so to this browser alone.
        if (opened.signed) order.recordStored(connectionId, opened.signed.link, createdAt)
        const hasEnded = ((await memory.expiryOf(metadata)) ?? Infinity) <= clock.now()
        // Another one that was not shown until its end is not recorded: a wrong date must not hide it.
        const isOutlived = (opened.signed?.lifetime ?? 0) > retention()
        if (hasEnded || isOutlived) await recordOrder(message, connectionId, { ...opened, n }, hasEnded)
        return undefined
      }
      // The own message may have been opened meanwhile. The contact's is not recorded: it would hide the own one.
      if (isUnderOwnId(metadata)) return undefined
      if (mine) ownIds.add(id)
      await recordOrder({ ...message, expiresAt: until }, connectionId, { ...opened, n })
      const decrypted = { ...metadata, ...opened, expiresAt: until }
      if (deletion !== undefined) deps.deletedMessages.record(decrypted)
      expiry.watch(decrypted)
      if (mine) deps.onOwnDecrypted(decrypted)
      return decrypted
    } catch (error) {
      // A failed call is not the message's fault.
      if (maySucceedLater(error) || isCallError(error, 'NOT_SIGNED_IN')) throw error
      if (expiresAt <= clock.now()) return undefined
      if (belongs) await recordOrder({ ...message, expiresAt }, connectionId).catch(() => {})
      expiry.watch(metadata)
      return { ...metadata, body: { kind: 'unreadable', reason: reasonOf(error) } }
    }
  }

  const { fetchPage, fetchWhole } = createPageFetch({ ...deps, fetchMessages, decrypt, isUnderOwnId })

  function withMarks(connectionId: string, messages: DecryptedMessage[]): DecryptedMessage[] {
    const marks = order.marks(connectionId)
    return marks.size === 0 ? messages : messages.map((message) => ({ ...message, ...marks.get(message.id) }))
  }

  async function fetchListed(connectionId: string, page: Page) {
    const [askedAt, known] = [clock.now(), order.known(connectionId)]
    const listed = await fetchPage(connectionId, page)
    const { messages, first, last, isLast } = listed
    if (page.before === undefined)
      order.recordNewest(connectionId, { askedAt, answeredAt: clock.now(), first, last, isWhole: isLast, known })
    const received = messages.findLast((message) => !message.mine)
    if (received) deps.reportReceived(connectionId, received.seq)
    return { ...listed, known }
  }

  async function list(connectionId: string, page: Page = {}) {
    const { messages, isLast, known } = await fetchListed(connectionId, page)
    const shown = new Map(messages.map((message) => [message.id, message.signed && message]))
    const first = isLast ? -Infinity : (messages[0]?.seq ?? Infinity)
    order.recordListed(connectionId, { known, shown, first, before: page.before })
    // A check that fails for want of a network is made with the next list.
    order.check(connectionId).catch(() => {})
    return withMarks(connectionId, messages)
  }

  async function listWhole(connectionId: string): Promise<void> {
    const [askedAt, known] = [clock.now(), order.known(connectionId)]
    const whole = await fetchWhole(connectionId)
    order.recordNewest(connectionId, { askedAt, answeredAt: clock.now(), ...whole, isWhole: true, known })
  }

  return {
    decrypt,
    list,
    listWhole,
    check: order.check,
    async find(connectionId, seq) {
      const [found] = await fetchMessages(connectionId, { after: seq - 1, limit: 1 })
      return found?.seq === seq ? decrypt(found, connectionId) : undefined
    },
    async catchUp() {
      const unread = await call(contract.unreadCounts, {})
      for (const { connectionId } of unread.slice(0, maxCaughtUp)) await fetchListed(connectionId, {})
    },
    unreadCounts: () => call(contract.unreadCounts, {}),
    progress: (connectionId) => call(contract.progress, { params: { id: connectionId } }),
    markRead: async (connectionId) => void (await call(contract.markRead, { params: { id: connectionId } })),
  }
}
