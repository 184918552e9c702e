import { filePathOf } from '@privity/contract/fileRef'
import type { Envelope, Message } from '@privity/contract/messages'
import type { EnvelopeRow, MessageRow } from '../../core/database/tables/messages.ts'
import type { NameRow } from './queries.ts'

export const toSender = (row: NameRow | undefined): Message['sender'] => ({
  firstName: row?.first_name ?? '',
  lastName: row?.last_name ?? '',
})

/** A message as `viewerId` may see it: only its sender gets the encrypted file key. */
export function toMessage(row: MessageRow, sender: Message['sender'], receipt: string, viewerId: string): Message {
  const message: Message = {
    id: row.id,
    connectionId: row.connection_id,
    seq: row.seq,
    senderId: row.sender_id,
    sender,
    content: row.content,
    messageType: row.message_type,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    receipt,
    ...(row.deletion !== null && { deletion: row.deletion }),
  }
  if (row.file_id === null) return message
  return {
    ...message,
    filePath: filePathOf(row.file_id),
    fileSize: row.file_size ?? undefined,
    fileName: row.file_name ?? undefined,
    fileKey: row.sender_id === viewerId ? (row.file_key ?? undefined) : undefined,
  }
}

export function toEnvelope(row: EnvelopeRow): Envelope {
  return {
    id: row.id,
    connectionId: row.connection_id,
    from: row.from_id,
    to: row.to_id,
    epochFrom: row.epoch_from,
    epochTo: row.epoch_to,
    sealedForRecipient: row.sealed_for_recipient,
    sealedForSender: row.sealed_for_sender,
    signature: row.signature,
  }
}
