import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { Message, messages as contract } from '@privity/contract/messages'
import type { SealedMessageForm } from '@privity/contract/sealedMessage'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
import type { MessageRow } from '../../core/schema.ts'
import { isAvailable } from '../connections/connections.ts'
import { type Place, placeOf } from '../connections/parties.ts'
import { checkSendable, idOf, markSent } from '../files/files.ts'
import { useEnvelope } from './envelopes.ts'
import { insertMessage, selectMessage, selectSendFacts, type SendFacts } from './queries.ts'
import { readContent, type Receipts } from './sealedContent.ts'
import { toMessage, toSender } from './view.ts'

type Body = Received<typeof contract.send>['body']

export interface SendOutcome {
  message: Message
  /** The same message was stored before: a retry after a lost answer. */
  repeated: boolean
}

const fileFields = ['fileName', 'fileSize', 'filePath', 'fileKey'] as const

function checkFileFields(body: Body): void {
  const isFile = body.messageType === 'file'
  const wrong = fileFields.filter((field) => (body[field] !== undefined) !== isFile)
  if (wrong.length === 0) return
  const message = isFile ? 'A file message needs this.' : 'Only a file message has this.'
  throw new AppError('INVALID_INPUT', { details: wrong.map((path) => ({ path, message })) })
}

interface Sending {
  userId: string
  body: Body
  sealed: SealedMessageForm
  place: Place
  now: number
  expiresAt: number
}

/** Every rule a new message must pass, then what it takes with it: its envelope, its file. */
async function admit(
  tx: Tx,
  { userId, body, sealed, place, now, expiresAt }: Sending,
  facts: SendFacts,
): Promise<void> {
  if (!isAvailable({ is_active: facts.mine_active, suspended: facts.mine_suspended }))
    throw new AppError('NOT_SIGNED_IN')
  if (!isAvailable(facts)) throw new AppError('PEER_UNAVAILABLE')
  const { connectionId, envelope: inline, filePath } = body
  const { envelopeId, messageId } = sealed
  const fileId = filePath === undefined ? undefined : idOf(filePath)
  if (fileId !== undefined) await checkSendable(tx, fileId, userId, body.fileSize, now)
  await useEnvelope(tx, { envelopeId, inline, connectionId, from: userId, to: place.otherId, now, expiresAt }, facts)
  if (fileId !== undefined) await markSent(tx, fileId, { messageId, connectionId, expiresAt })
}

/** The stored message of this id, if it is this very one, sent before by this sender in this connection. */
async function findRepeated(tx: Tx, { userId, body, sealed, now }: Sending): Promise<MessageRow> {
  const stored = await selectMessage(tx, sealed.messageId)
  const isRepeated =
    stored?.content === body.content &&
    stored.sender_id === userId &&
    stored.connection_id === body.connectionId &&
    stored.expires_at > now
  if (!isRepeated) throw new AppError('MESSAGE_ID_TAKEN')
  return stored
}

const toRow = ({ userId, body, sealed, now, expiresAt }: Sending, seq: number): MessageRow => ({
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

function tell({ sockets }: Core, userId: string, otherId: string, message: Message, body: Body): void {
  const { envelope, socketId } = body
  if (message.fileKey === undefined) {
    return sockets.notify([otherId, userId], { type: 'new_message', message: { ...message, envelope } }, socketId)
  }
  sockets.notify(userId, { type: 'new_message', message: { ...message, envelope } }, socketId)
  sockets.notify(otherId, { type: 'new_message', message: { ...message, fileKey: undefined, envelope } })
}

/** Stores a sealed message once, however often and from wherever it is sent. */
export function sendMessage(core: Core, receipts: Receipts, userId: string, body: Body): Promise<SendOutcome> {
  const sealed = readContent(body.content)
  checkFileFields(body)

  return core.db.write(async (tx) => {
    const facts = await selectSendFacts(tx, { connectionId: body.connectionId, userId, ...sealed })
    if (facts === undefined) throw new AppError('CONNECTION_NOT_FOUND')
    const place = placeOf(facts, userId)
    const now = core.clock.now()
    const sending: Sending = { userId, body, sealed, place, now, expiresAt: now + core.config.retention }
    const view = (row: MessageRow) =>
      toMessage(row, toSender(facts), receipts.of(row, place.otherId, sealed.commitment), userId)
    // Before the rules: what was accepted once stays accepted, even if keys or peer have moved on since.
    if (facts.is_stored === 1) return { message: view(await findRepeated(tx, sending)), repeated: true }
    await admit(tx, sending, facts)
    const row = toRow(sending, facts.last_seq + 1)
    await insertMessage(tx, row, place.side)
    const message = view(row)
    tx.afterCommit(() => {
      core.sentMessages.count(now)
      tell(core, userId, place.otherId, message, body)
    })
    return { message, repeated: false }
  })
}
