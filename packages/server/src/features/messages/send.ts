import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { Message, messages as contract } from '@privity/contract/messages'
import type { SealedMessageForm } from '@privity/contract/sealedMessage'
import { allInOrder } from '../../core/allInOrder.ts'
import type { Core } from '../../core/core.ts'
import { isCollision } from '../../core/dbErrors.ts'
import type { Tx } from '../../core/db.ts'
import type { MessageRow } from '../../core/schema.ts'
import { placeOf } from '../connections/parties.ts'
import { idOf } from '../files/files.ts'
import { admit, checkFileFields, type Lifetime } from './admit.ts'
import { createNewMessages, type NewMessages } from './newMessages.ts'
import { selectMessage } from './queries.ts'
import { readContent, type Receipts } from './sealedContent.ts'
import { holdConnections, selectSendFacts, type SendFacts } from './sendQueries.ts'
import { createSendQueue, type Outcome } from './sendQueue.ts'
import { toMessage, toSender } from './view.ts'

export interface SendOutcome {
  message: Message
  /** The same message was stored before: a retry after a lost answer. */
  repeated: boolean
}

/** What a member sends. */
export interface Sending {
  userId: string
  body: Received<typeof contract.send>['body']
  sealed: SealedMessageForm
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

const toRow = ({ userId, body, sealed }: Sending, seq: number, { now, expiresAt }: Lifetime): MessageRow => ({
  id: sealed.messageId,
  connection_id: body.connectionId,
  seq,
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

const asked = ({ userId, body, sealed }: Sending) => ({
  connectionId: body.connectionId,
  userId,
  envelopeId: sealed.envelopeId,
  messageId: sealed.messageId,
})

/** After a collision the next ones are likely: for as many batches connections are held from the start. */
const heldBatches = 100

/** Stores a sealed message once, however often and from wherever it is sent. */
export function createSender(core: Core, receipts: Receipts) {
  let toHold = 0

  async function store(
    tx: Tx,
    sending: Sending,
    facts: SendFacts | undefined,
    lifetime: Lifetime,
    batch: NewMessages,
  ): Promise<SendOutcome> {
    if (facts === undefined) throw new AppError('CONNECTION_NOT_FOUND')
    const { userId, body, sealed } = sending
    const place = placeOf(facts, userId)
    const view = (row: MessageRow) =>
      toMessage(row, toSender(facts), receipts.of(row, place.otherId, sealed.commitment), userId)
    const stored =
      batch.find(sealed.messageId) ?? (facts.stored === null ? undefined : await selectMessage(tx, facts.stored))
    // Before the rules: what was accepted once stays accepted, even if keys or peer have moved on since.
    if (stored !== undefined) {
      checkRepeated(stored, sending, lifetime.now)
      return { message: view(stored), repeated: true }
    }
    await admit(tx, sending, facts, place, lifetime)
    const row = toRow(sending, batch.nextSeq(body.connectionId, facts.last_seq), lifetime)
    batch.add(row, place.side)
    const message = view(row)
    tx.afterCommit(() => tell(core, sending, place.otherId, message))
    return { message, repeated: false }
  }

  async function storeAll(tx: Tx, sendings: readonly Sending[]): Promise<Outcome<SendOutcome>[]> {
    const now = core.clock.now()
    const lifetime = { now, expiresAt: now + core.config.retention }
    const facts = await selectSendFacts(tx, sendings.map(asked))
    const batch = createNewMessages()
    const outcomes: Outcome<SendOutcome>[] = []
    for (const [at, sending] of sendings.entries()) {
      try {
        outcomes.push({ result: await store(tx, sending, facts[at], lifetime, batch) })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        outcomes.push({ error })
      }
    }
    if (batch.count() > 0) {
      await allInOrder([batch.store(tx), core.sentMessages.count(tx, now, batch.count())])
    }
    return outcomes
  }

  async function storeTogether(tx: Tx, sendings: readonly Sending[]): Promise<Outcome<SendOutcome>[]> {
    try {
      if (toHold > 0) {
        toHold -= 1
        await holdConnections(tx, [...new Set(sendings.map(({ body }) => body.connectionId))])
      }
      return await storeAll(tx, sendings)
    } catch (error) {
      if (isCollision(error)) toHold = heldBatches
      throw error
    }
  }

  const send = createSendQueue(core, isAlone, storeTogether)

  return async (userId: string, body: Sending['body']): Promise<SendOutcome> => {
    const sealed = readContent(body.content)
    checkFileFields(body)
    return send({ userId, body, sealed })
  }
}
