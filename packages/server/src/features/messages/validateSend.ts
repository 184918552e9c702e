import { AppError } from '@privity/contract/errors'
import type { Tx } from '../../core/database/types.ts'
import { isAvailable } from '../connections/connections.ts'
import { lifetimeOf } from '../connections/lifetime.ts'
import type { Place } from '../connections/membership.ts'
import { approveWithMessage } from '../files/authorizations.ts'
import { attachToMessage, checkSendable, requireFileId } from '../files/files.ts'
import { checkEnvelope, storeEnvelope } from './envelopes.ts'
import { verifyMessage } from './messageSignature.ts'
import type { Sending } from './types.ts'
import type { SendFacts } from './sendQueries.ts'

const fileFields = ['fileName', 'fileSize', 'filePath', 'fileKey'] as const

export function checkFileFields(body: Sending['body']): void {
  const isFile = body.messageType === 'file'
  const wrong: string[] = fileFields.filter((field) => (body[field] !== undefined) !== isFile)
  if (!isFile && body.grant !== undefined) wrong.push('grant')
  if (wrong.length === 0) return
  const message = isFile ? 'A file message needs this.' : 'Only a file message has this.'
  throw new AppError('INVALID_INPUT', { details: wrong.map((path) => ({ path, message })) })
}

/** Whether the sender has sealed the message with the lifetime that the conversation has. */
export const hasLifetime = ({ body }: Sending, facts: SendFacts, retention: number): boolean =>
  body.lifetime === undefined || body.lifetime === lifetimeOf(facts, retention)

/** When a message is stored, and how long it lives at most on this server (ms). */
export interface Lifetime {
  now: number
  retention: number
}

/**
 * Checks every rule for a new message, then stores its envelope, claims its file and authorizes the recipient where the
 * message grants the key. Returns when it expires.
 */
export async function validateSend(
  tx: Tx,
  sending: Sending,
  facts: SendFacts,
  place: Place,
  { now, retention }: Lifetime,
): Promise<number> {
  const { userId, body, sealed } = sending
  if (!isAvailable({ is_active: facts.mine_active, suspended: facts.mine_suspended }))
    throw new AppError('NOT_SIGNED_IN')
  if (!isAvailable(facts)) throw new AppError('PEER_UNAVAILABLE')
  const { connectionId, envelope: inline, filePath, grant } = body
  const { envelopeId, messageId } = sealed
  const fileId = filePath === undefined ? undefined : requireFileId(filePath)
  if (fileId !== undefined) await checkSendable(tx, fileId, userId, body.fileSize, now)
  const lifetime = lifetimeOf(facts, retention)
  const use = { envelopeId, inline, connectionId, from: userId, to: place.contactId, now, lifetime }
  if (!hasLifetime(sending, facts, retention)) throw new AppError('LIFETIME_CHANGED')
  const expiresAt = Math.min(now + lifetime, await checkEnvelope(tx, use, facts))
  // Comes after the epoch check, so that a sender with superseded keys gets that error, and before the first write.
  if (!(await verifyMessage(sending, facts))) throw new AppError('MESSAGE_NOT_SIGNED')
  await storeEnvelope(tx, use, facts, expiresAt)
  if (fileId !== undefined) await attachToMessage(tx, fileId, { messageId, connectionId, expiresAt })
  if (fileId !== undefined && grant !== undefined)
    await approveWithMessage(tx, sending.caller, { fileId, connectionId, requesterId: place.contactId, grant, now })
  return expiresAt
}
