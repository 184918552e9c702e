import { config } from '@privity/contract/config'
import { fileIdOf } from '@privity/contract/fileRef'
import type { Grant } from '@privity/contract/grant'
import { limits } from '@privity/contract/limits'
import { type Envelope, type Message, messages as contract } from '@privity/contract/messages'
import { type Bytes, fromBase64url, messageLink, sealForOwner, sealMessage, sealNameForOwner } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { CallError, type CallErrorCode, isCallError } from '../transport/callError.ts'
import type { Envelopes } from './envelopes.ts'
import type { MessageOrder } from './order/messageOrder.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Lifetimes } from './lifetimes.ts'
import type { LiveSocket } from '../transport/socket.ts'
import type { StoredItem } from './outbox/outboxStore.ts'
import type { Contacts } from '../trust/types.ts'
import type { DuplicateTexts } from './duplicateText.ts'
import { withoutExpiredQuote } from './quote.ts'
import type { ServerClock } from '../transport/serverClock.ts'

/** Encrypts and sends one message, repeatedly if keys are renewed meanwhile. */
export interface MessageSender {
  /** Calls `save` before each encrypted form is sent. Throws CallError. */
  send(item: StoredItem, save: (item: StoredItem) => Promise<void>): Promise<Message>
  /** Finds the stored message with this id after a lost response. */
  findStored(item: StoredItem): Promise<Message | undefined>
}

const maxAttempts = 5

type Sealed = NonNullable<StoredItem['sealed']>

/** `navigator.onLine` changes at once; the socket notices a lost network only seconds later. */
const isOffline = () => typeof window !== 'undefined' && !navigator.onLine

/** Turns a failed load of encryption code, which is a TypeError while offline, into OFFLINE. */
function throwAsOffline(error: unknown): never {
  if (error instanceof TypeError && /module/i.test(error.message)) throw new CallError('OFFLINE', { cause: error })
  throw error
}

/** Errors after which the message must be encrypted again: its envelope does not match the current keys. */
const keysRenewed: CallErrorCode[] = ['EPOCH_SUPERSEDED', 'ENVELOPE_INVALID', 'MESSAGE_NOT_SIGNED']

export function createMessageSender(deps: {
  call: Call
  keyring: Keyring
  contacts: Contacts
  envelopes: Envelopes
  order: Pick<MessageOrder, 'linksFor' | 'recordSending' | 'recordStored'>
  live: Pick<LiveSocket, 'socketId'>
  tagFor: DuplicateTexts['tagFor']
  lifetimes: Pick<Lifetimes, 'of' | 'forget'>
  clock: Pick<ServerClock, 'now' | 'synchronize' | 'correction'>
}): MessageSender {
  const { call, keyring, contacts, envelopes, order, live } = deps

  /** Throws KEY_CHANGED, PAUSED, CONTACT_UNMET or NAME_CHANGED: the key is for nobody but the accepted contact. */
  async function grantFor(connectionId: string, fileKey: Bytes, filePath: string): Promise<Grant> {
    const { keys } = await contacts.getForSending(connectionId)
    const { createGrant } = await import('@privity/e2ee/grant')
    return createGrant({ identity: keyring.identity, fileKey, filePath, from: keyring.userId, to: keys })
  }

  async function encryptFileFields(item: StoredItem, { epochFrom, connectionId, to }: Envelope) {
    const { file, body } = item
    if (!file || body.kind !== 'file') return {}
    const seed = await keyring.seed(epochFrom)
    const fileId = fileIdOf(file.filePath)
    if (!seed || fileId === undefined) throw new Error('The file has no id, or its epoch no seed.')
    const owner = { seed, userId: keyring.userId, epoch: epochFrom, connectionId, recipientId: to, fileId }
    const fileKey = fromBase64url(file.fileKey)
    return {
      fileName: await sealNameForOwner(owner, body.name),
      fileKey: await sealForOwner({ ...owner, purpose: 'file-key' }, fileKey),
      ...(file.approve && { grant: await grantFor(connectionId, fileKey, file.filePath) }),
    }
  }

  async function encrypt(item: StoredItem): Promise<StoredItem & { sealed: Sealed }> {
    await keyring.renewEpoch()
    const { connectionId } = item
    if ((await envelopes.forSending(connectionId)).isOpen) envelopes.renew(connectionId)
    const sending = await envelopes.forSending(connectionId)
    const { envelope, conversationKey, lifetime } = sending
    const { identity } = keyring
    const { id } = item
    const body = withoutExpiredQuote(item.body, deps.clock.now())
    const { ownSentAt, ...links } = await order.linksFor(connectionId, lifetime)
    const sentAt = deps.clock.now()
    const context = { sentAt, n: sending.sealed + 1, lifetime, ...links }
    sending.isOpen = true
    sending.sealed = context.n
    const content = await sealMessage({ conversationKey, identity, messageId: id, envelope, body, context })
    const repetition =
      body.kind === 'text' ? await deps.tagFor({ id, text: body.text, createdAt: deps.clock.now() }) : undefined
    return {
      ...item,
      sealed: {
        content,
        envelope,
        sentAt: Math.max(sentAt, ownSentAt + 1),
        signedAt: sentAt,
        correction: deps.clock.correction(),
        lifetime,
        readableUntil: sending.readableUntil,
        ...(await encryptFileFields(item, envelope)),
        ...(repetition && { repetition }),
      },
    }
  }

  async function findStored({ id, connectionId }: StoredItem): Promise<Message | undefined> {
    const isIt = (message: Message) =>
      message.id === id && message.connectionId === connectionId && message.senderId === keyring.userId
    const limit = limits.maxMessagesPage
    for (let before: number | undefined; ;) {
      const page = await call(contract.list, { params: { id: connectionId }, query: { limit, before } })
      const [found, first] = [page.find(isIt), page[0]?.seq]
      if (found || page.length < limit || first === undefined || first >= (before ?? Infinity)) return found
      before = first
    }
  }

  async function recordSending(sealed: Sealed): Promise<string> {
    const { content, sentAt, signedAt, correction, lifetime, readableUntil } = sealed
    const link = await messageLink(content)
    order.recordSending({ link, sentAt, signedAt, correction, lifetime, readableUntil })
    return link
  }

  async function sendOnce(item: StoredItem & { sealed: Sealed }): Promise<Message> {
    const { connectionId, sealed, file, body } = item
    const { content, envelope, fileName, fileKey, grant, repetition, lifetime } = sealed
    const sending = await envelopes.forSending(connectionId)
    const known = sending.envelope.id === envelope.id && sending.known
    const link = await recordSending(sealed)
    const sent = await call(contract.send, {
      body: {
        connectionId,
        content,
        messageType: body.kind,
        lifetime,
        ...(file && { fileName, fileKey, grant, filePath: file.filePath, fileSize: file.fileSize }),
        ...(known ? {} : { envelope }),
        repetition,
        socketId: live.socketId(),
      },
    })
    if (sending.envelope.id === envelope.id) {
      sending.known = true
      sending.isOpen = false
    }
    order.recordStored(connectionId, link, sent.createdAt)
    envelopes.remember(envelope)
    return { ...sent, content }
  }

  /** Returns the item for another attempt, or the message if it is already stored; otherwise rethrows the error. */
  async function recover(item: StoredItem, error: CallError): Promise<StoredItem | Message> {
    const { connectionId } = item
    if (error.code === 'ENVELOPE_UNKNOWN') {
      const sending = await envelopes.forSending(connectionId)
      sending.known = false
      return item
    }
    if (keysRenewed.includes(error.code)) {
      // The epochs are chosen by the clock, which may be wrong.
      if (error.code === 'EPOCH_SUPERSEDED') await deps.clock.synchronize()
      await keyring.refresh()
      contacts.invalidate(connectionId)
      envelopes.renew(connectionId)
      return { ...item, sealed: undefined }
    }
    if (error.code === 'LIFETIME_CHANGED') {
      deps.lifetimes.forget(connectionId)
      // The server's own limit may have changed.
      await deps.clock.synchronize()
      return { ...item, sealed: undefined }
    }
    if (error.code === 'ENVELOPE_OUTDATED') {
      // The envelope may have been created with a wrong clock.
      await deps.clock.synchronize()
      envelopes.renew(connectionId)
      return { ...item, sealed: undefined }
    }
    const stored = error.code === 'MESSAGE_ID_TAKEN' ? await findStored(item) : undefined
    if (stored) return stored
    throw error
  }

  return {
    findStored,
    async send(item, save) {
      let current = item
      // A page before may have sent it: the server may give the notice of it before any answer.
      if (item.sealed) await recordSending(item.sealed)
      for (let attempt = 1; ; attempt++) {
        await contacts.getForSending(item.connectionId)
        // All messages under an envelope live equally long: recipients judge by it what is missing.
        const lifetime = await deps.lifetimes.of(item.connectionId)
        const sealed = current.sealed?.lifetime === lifetime ? current.sealed : undefined
        // Test the connection before the first attempt: after a failed one, nobody knows whether the message arrived.
        if (!sealed && (live.socketId() === undefined || isOffline())) await call(config.get, {})
        const ready = sealed ? { ...current, sealed } : await encrypt(current).catch(throwAsOffline)
        await save(ready)
        try {
          return await sendOnce(ready)
        } catch (error) {
          if (!isCallError(error) || attempt === maxAttempts) throw error
          const next = await recover(ready, error)
          if ('seq' in next) return next
          current = next
        }
      }
    },
  }
}
