import type { Sending, SendOutcome } from './types.ts'
import { AppError } from '@privity/contract/errors'
import type { Message } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import { createCollision, isTaken } from '../../core/database/errors.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import { lifetimeOf } from '../connections/lifetime.ts'
import { type Place, placeOf } from '../connections/membership.ts'
import { requireFileId } from '../files/files.ts'
import { validateSend, checkFileFields, hasLifetime, type Lifetime } from './validateSend.ts'
import { keyLifetime, storedEpochs } from './envelopeEpochs.ts'
import { isInUse } from './envelopes.ts'
import { isVerified, verifyMessage } from './messageSignature.ts'
import { createInsertBatch, type InsertBatch } from './insertBatch.ts'
import { selectMessage } from './queries.ts'
import { createSendCache } from './sendCache.ts'
import { readContent, type Receipts } from './encryptedContent.ts'
import { selectSendFacts, type SendFacts, type SendKey } from './sendQueries.ts'
import { createSendQueue, type SettledSend } from './sendQueue.ts'
import { toMessage, toSender } from './view.ts'

/** A message that is stored already, or will be with its batch. */
interface Accepted {
  sending: Sending
  row: MessageRow
  place: Place
  facts: SendFacts
  isRepeated: boolean
}

/** Facts that hold now, under which the message may be stored. */
interface CachedFacts {
  facts: SendFacts
  times: Times
}

/** Throws unless the stored message is this very one, sent before by the same sender in the same connection. */
function checkRepeated(stored: MessageRow, { userId, body }: Sending, now: number): void {
  const isSame =
    stored.content === body.content &&
    stored.sender_id === userId &&
    stored.connection_id === body.connectionId &&
    stored.expires_at > now
  if (!isSame) throw new AppError('MESSAGE_ID_TAKEN')
}

/** When a message was stored, and when it expires. */
interface Times {
  now: number
  expiresAt: number
}

const toRow = ({ userId, body, sealed }: Sending, facts: SendFacts, { now, expiresAt }: Times): MessageRow => ({
  id: sealed.messageId,
  connection_id: body.connectionId,
  seq: 0,
  sender_id: userId,
  envelope_id: sealed.envelopeId,
  message_type: body.messageType,
  file_id: body.filePath === undefined ? null : requireFileId(body.filePath),
  file_size: body.fileSize ?? null,
  created_at: now,
  expires_at: expiresAt,
  content: body.content,
  file_name: body.fileName ?? null,
  file_key: body.fileKey ?? null,
  repetition: body.repetition ?? null,
  identity_key: facts.mine_identity,
  deletion: null,
})

function notifyParticipants({ sockets }: Core, { userId, body }: Sending, contactId: string, message: Message): void {
  const { envelope, socketId } = body
  if (message.fileKey === undefined) {
    return sockets.notify([contactId, userId], { type: 'new_message', message: { ...message, envelope } }, socketId)
  }
  sockets.notify(userId, { type: 'new_message', message: { ...message, envelope } }, socketId)
  sockets.notify(contactId, { type: 'new_message', message: { ...message, fileKey: undefined, envelope } })
}

/** Messages with rows of their own (envelope or file) get their own transaction, so that a failure undoes only them. */
const isAlone = ({ body }: Sending) => body.envelope !== undefined || body.filePath !== undefined

const keyOf = ({ userId, body, sealed }: Sending): SendKey => ({
  connectionId: body.connectionId,
  userId,
  envelopeId: sealed.envelopeId,
  messageId: sealed.messageId,
})

/** Stores an encrypted message once, however often and from wherever it is sent. */
export function createSender(core: Core, receipts: Receipts) {
  const cache = createSendCache()

  /** Adds a message to the batch, unless it is stored already: `before` the batch, or in it. */
  function addToBatch(
    sending: Sending,
    facts: SendFacts,
    times: Times,
    batch: InsertBatch,
    before?: MessageRow,
  ): Accepted {
    const place = placeOf(facts, sending.userId)
    const stored = batch.find(sending.sealed.messageId) ?? before
    if (stored !== undefined) {
      checkRepeated(stored, sending, times.now)
      return { sending, row: stored, place, facts, isRepeated: true }
    }
    const row = toRow(sending, facts, times)
    batch.add(row, place, facts)
    return { sending, row, place, facts, isRepeated: false }
  }

  async function validateAndAdd(
    tx: Tx,
    sending: Sending,
    facts: SendFacts | undefined,
    lifetime: Lifetime,
    batch: InsertBatch,
  ): Promise<Accepted> {
    if (facts === undefined) throw new AppError('CONNECTION_NOT_FOUND')
    const before = facts.stored === null ? undefined : await selectMessage(tx, facts.stored)
    // An accepted message stays accepted, even if keys or the contact have changed since.
    const isNew = before === undefined && batch.find(sending.sealed.messageId) === undefined
    const expiresAt = isNew ? await validateSend(tx, sending, facts, placeOf(facts, sending.userId), lifetime) : 0
    return addToBatch(sending, facts, { now: lifetime.now, expiresAt }, batch, before)
  }

  /**
   * The cached facts; undefined if the database must be queried: the message has rows of its own, or may be refused.
   */
  function findCachedFacts(sending: Sending, { now, retention }: Lifetime): CachedFacts | undefined {
    if (isAlone(sending)) return undefined
    const facts = cache.find(keyOf(sending), now + retention)
    if (facts === undefined || !isVerified(sending, facts) || !hasLifetime(sending, facts, retention)) return undefined
    const lifetime = lifetimeOf(facts, retention)
    const until = keyLifetime(storedEpochs(facts), now)
    if (until === undefined || !isInUse(sending.sealed.envelopeId, { now, lifetime })) return undefined
    return { facts, times: { now, expiresAt: Math.min(now + lifetime, until) } }
  }

  /** Verifies the signature before the database is held, for senders whose facts are cached. */
  async function verifyBefore(sending: Sending): Promise<void> {
    const facts = cache.find(keyOf(sending), 0)
    if (facts !== undefined) await verifyMessage(sending, facts)
  }

  /** Queries the facts that are not cached, in the order of `sendings`. */
  async function selectMissingFacts(
    tx: Tx,
    sendings: readonly Sending[],
    cached: readonly (CachedFacts | undefined)[],
  ): Promise<Iterator<SendFacts | undefined>> {
    const missing = sendings.filter((_, i) => cached[i] === undefined)
    return (missing.length === 0 ? [] : await selectSendFacts(tx, missing.map(keyOf))).values()
  }

  function toOutcome(tx: Tx, { sending, row, place, facts, isRepeated }: Accepted): SendOutcome {
    const { userId, sealed } = sending
    const receipt = receipts.of(row, place.contactId, sealed.commitment)
    const message = toMessage(row, toSender(facts), receipt, userId)
    if (!isRepeated) {
      tx.afterCommit(() => {
        cache.store(keyOf(sending), facts)
        notifyParticipants(core, sending, place.contactId, message)
        core.bus.publishHere('messageStored', { recipientId: place.contactId, expiresAt: row.expires_at })
      })
    }
    return { message, isRepeated }
  }

  async function storeAll(tx: Tx, sendings: readonly Sending[]): Promise<SettledSend<SendOutcome>[]> {
    const now = core.clock.now()
    const lifetime = { now, retention: core.config.retention }
    const cached = sendings.map((sending) => findCachedFacts(sending, lifetime))
    const selected = await selectMissingFacts(tx, sendings, cached)
    const batch = createInsertBatch()
    const outcomes: SettledSend<Accepted>[] = []
    for (const [i, sending] of sendings.entries()) {
      const found = cached[i]
      try {
        const result =
          found === undefined
            ? await validateAndAdd(tx, sending, selected.next().value, lifetime, batch)
            : // A message has passed the rules with these facts, and the rules depend on nothing else.
              addToBatch(sending, found.facts, found.times, batch)
        outcomes.push({ result })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        outcomes.push({ error })
      }
    }
    if (batch.count() > 0) await batch.store(tx, core.sentMessages, now)
    return outcomes.map((outcome) => ('error' in outcome ? outcome : { result: toOutcome(tx, outcome.result) }))
  }

  /** Drops the cached facts after a failure; if they were outdated or an id was taken, retries with fresh facts. */
  async function storeTogether(tx: Tx, sendings: readonly Sending[]): Promise<SettledSend<SendOutcome>[]> {
    try {
      return await storeAll(tx, sendings)
    } catch (error) {
      for (const sending of sendings) cache.remove(keyOf(sending))
      throw isTaken(error, 'messages.id') ? createCollision() : error
    }
  }

  const send = createSendQueue(core, isAlone, storeTogether)

  return async (caller: Caller, body: Sending['body']): Promise<SendOutcome> => {
    const sending = { caller, userId: caller.userId, body, sealed: readContent(body.content) }
    checkFileFields(body)
    await verifyBefore(sending)
    return send(sending)
  }
}
