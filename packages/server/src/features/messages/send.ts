import type { Sending, SendOutcome } from './types.ts'
import { AppError } from '@privity/contract/errors'
import type { Message } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import { collision, isLost, isOutdated, isTaken } from '../../core/database/errors.ts'
import type { Tx } from '../../core/database/types.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import { type Place, placeOf } from '../connections/participants.ts'
import { idOf } from '../files/files.ts'
import { admit, checkFileFields, type Lifetime } from './validateSend.ts'
import { isInUse } from './envelopes.ts'
import { isVerified, verifyMessage } from './messageSignature.ts'
import { createNewMessages, type NewMessages } from './insertBatch.ts'
import { selectMessage } from './queries.ts'
import { createRememberedFacts } from './sendCache.ts'
import { readContent, type Receipts } from './encryptedContent.ts'
import { type Asked, selectSendFacts, type SendFacts } from './sendQueries.ts'
import { createSendQueue, type Outcome } from './sendQueue.ts'
import { toMessage, toSender } from './view.ts'

/** A message that is stored, or will be with the others of its batch. */
interface Accepted {
  sending: Sending
  row: MessageRow
  place: Place
  facts: SendFacts
  repeated: boolean
}

/** The stored message is this very one, sent before by this sender in this connection; else its id is taken. */
function checkRepeated(stored: MessageRow, { userId, body }: Sending, now: number): void {
  const isRepeated =
    stored.content === body.content &&
    stored.sender_id === userId &&
    stored.connection_id === body.connectionId &&
    stored.expires_at > now
  if (!isRepeated) throw new AppError('MESSAGE_ID_TAKEN')
}

const toRow = ({ userId, body, sealed }: Sending, facts: SendFacts, { now, expiresAt }: Lifetime): MessageRow => ({
  id: sealed.messageId,
  connection_id: body.connectionId,
  seq: 0,
  sender_id: userId,
  envelope_id: sealed.envelopeId,
  message_type: body.messageType,
  file_id: body.filePath === undefined ? null : idOf(body.filePath),
  file_size: body.fileSize ?? null,
  created_at: now,
  expires_at: expiresAt,
  content: body.content,
  file_name: body.fileName ?? null,
  file_key: body.fileKey ?? null,
  repetition: body.repetition ?? null,
  identity_key: facts.mine_identity,
})

function tell({ sockets }: Core, { userId, body }: Sending, otherId: string, message: Message): void {
  const { envelope, socketId } = body
  if (message.fileKey === undefined) {
    return sockets.notify([otherId, userId], { type: 'new_message', message: { ...message, envelope } }, socketId)
  }
  sockets.notify(userId, { type: 'new_message', message: { ...message, envelope } }, socketId)
  sockets.notify(otherId, { type: 'new_message', message: { ...message, fileKey: undefined, envelope } })
}

/** What brings rows of its own, and would have to be undone alone. */
const isAlone = ({ body }: Sending) => body.envelope !== undefined || body.filePath !== undefined

const asked = ({ userId, body, sealed }: Sending): Asked => ({
  connectionId: body.connectionId,
  userId,
  envelopeId: sealed.envelopeId,
  messageId: sealed.messageId,
})

/** Stores a sealed message once, however often and from wherever it is sent. */
export function createSender(core: Core, receipts: Receipts) {
  const remembered = createRememberedFacts()

  /** A message that may be sent, or is there already: `before` this batch, or in it. */
  function take(
    sending: Sending,
    facts: SendFacts,
    lifetime: Lifetime,
    batch: NewMessages,
    before?: MessageRow,
  ): Accepted {
    const place = placeOf(facts, sending.userId)
    const stored = batch.find(sending.sealed.messageId) ?? before
    if (stored !== undefined) {
      checkRepeated(stored, sending, lifetime.now)
      return { sending, row: stored, place, facts, repeated: true }
    }
    const row = toRow(sending, facts, lifetime)
    batch.add(row, place, facts)
    return { sending, row, place, facts, repeated: false }
  }

  async function accept(
    tx: Tx,
    sending: Sending,
    facts: SendFacts | undefined,
    lifetime: Lifetime,
    batch: NewMessages,
  ): Promise<Accepted> {
    if (facts === undefined) throw new AppError('CONNECTION_NOT_FOUND')
    const before = facts.stored === null ? undefined : await selectMessage(tx, facts.stored)
    // What was accepted once stays accepted, even if keys or peer have moved on since.
    if (before === undefined && batch.find(sending.sealed.messageId) === undefined)
      await admit(tx, sending, facts, placeOf(facts, sending.userId), lifetime)
    return take(sending, facts, lifetime, batch, before)
  }

  /** Undefined for a message with rows of its own, or that may have to be refused: the database is queried. */
  function recall(sending: Sending, lifetime: Lifetime): SendFacts | undefined {
    if (isAlone(sending) || !isInUse(sending.sealed.envelopeId, lifetime)) return undefined
    const facts = remembered.find(asked(sending), lifetime.expiresAt)
    return facts !== undefined && isVerified(sending, facts) ? facts : undefined
  }

  /** Those who go on under an envelope have their signature verified before the database is held for them. */
  async function verifyBefore(sending: Sending): Promise<void> {
    const facts = remembered.find(asked(sending), 0)
    if (facts !== undefined) await verifyMessage(sending, facts)
  }

  /** The facts of those of whom nothing is remembered, in their order. */
  async function askAbout(
    tx: Tx,
    sendings: readonly Sending[],
    known: readonly (SendFacts | undefined)[],
  ): Promise<Iterator<SendFacts | undefined>> {
    const open = sendings.filter((_, at) => known[at] === undefined)
    return (open.length === 0 ? [] : await selectSendFacts(tx, open.map(asked))).values()
  }

  function finish(tx: Tx, { sending, row, place, facts, repeated }: Accepted): SendOutcome {
    const { userId, sealed } = sending
    const receipt = receipts.of(row, place.otherId, sealed.commitment)
    const message = toMessage(row, toSender(facts), receipt, userId)
    if (!repeated || sending.mayBeKept) {
      tx.afterCommit(() => {
        // One that was stored before has not passed the rules now.
        if (!repeated) remembered.remember(asked(sending), facts)
        tell(core, sending, place.otherId, message)
      })
    }
    return { message, repeated }
  }

  async function storeAll(tx: Tx, sendings: readonly Sending[]): Promise<Outcome<SendOutcome>[]> {
    const now = core.clock.now()
    const lifetime = { now, expiresAt: now + core.config.retention }
    const known = sendings.map((sending) => recall(sending, lifetime))
    const answers = await askAbout(tx, sendings, known)
    const batch = createNewMessages()
    const outcomes: Outcome<Accepted>[] = []
    for (const [at, sending] of sendings.entries()) {
      const facts = known[at]
      try {
        const result =
          facts === undefined
            ? await accept(tx, sending, answers.next().value, lifetime, batch)
            : // With these facts a message has passed the rules, which ask nothing else.
              take(sending, facts, lifetime, batch)
        outcomes.push({ result })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        outcomes.push({ error })
      }
    }
    if (batch.count() > 0) await batch.store(tx, core.sentMessages, now)
    return outcomes.map((outcome) => ('error' in outcome ? outcome : { result: finish(tx, outcome.result) }))
  }

  /** What is outdated or taken is done again with the facts asked anew. */
  async function storeTogether(tx: Tx, sendings: readonly Sending[]): Promise<Outcome<SendOutcome>[]> {
    try {
      return await storeAll(tx, sendings)
    } catch (error) {
      for (const sending of sendings) {
        remembered.forget(asked(sending))
        sending.mayBeKept ||= isLost(error)
      }
      throw isTaken(error, 'messages.id') || isOutdated(error) ? collision() : error
    }
  }

  const send = createSendQueue(core, isAlone, storeTogether)

  return async (userId: string, body: Sending['body']): Promise<SendOutcome> => {
    const sending = { userId, body, sealed: readContent(body.content) }
    checkFileFields(body)
    await verifyBefore(sending)
    return send(sending)
  }
}
