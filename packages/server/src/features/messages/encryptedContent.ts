import { createHmac } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import { idPattern } from '@privity/contract/fileRef'
import {
  readSealedMessage,
  sealedMessageLengths,
  type SealedMessageForm,
  withoutContent,
} from '@privity/contract/sealedMessage'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'

const alphabet = /^[\w-]*$/

/** Node decodes leniently: it skips or misreads other characters. A message must have exactly one encoding. */
function isCanonical(content: string, bytes: Buffer): boolean {
  if (!alphabet.test(content)) return false
  const inWhole = content.length - (content.length % 4)
  return bytes.toString('base64url', (inWhole / 4) * 3) === content.slice(inWhole)
}

/** Returns the clear header of an encrypted message; rejects plaintext and every other form. */
export function readContent(content: string): SealedMessageForm {
  if (!sealedMessageLengths.includes(content.length)) throw new AppError('MESSAGE_NOT_SEALED')
  const bytes = Buffer.from(content, 'base64url')
  const form = readSealedMessage(bytes)
  if (form === undefined || !idPattern.test(form.messageId) || !isCanonical(content, bytes))
    throw new AppError('MESSAGE_NOT_SEALED')
  return form
}

/** The clear header of content that was accepted before. */
export function readStored(content: string): SealedMessageForm {
  const form = readSealedMessage(Buffer.from(content, 'base64url'))
  if (form === undefined) throw new Error('a stored message has lost its form')
  return form
}

export const storedCommitment = (content: string): Uint8Array => readStored(content).commitment

/** The content of a deleted message. */
export const clearedContent = (content: string): string =>
  Buffer.from(withoutContent(Buffer.from(content, 'base64url')) ?? []).toString('base64url')

type ReceiptedRow = Pick<MessageRow, 'id' | 'sender_id' | 'created_at' | 'identity_key'>

/** Receipts let a recipient prove in a report that this server stored exactly this message. */
export interface Receipts {
  of(row: ReceiptedRow, to: string, commitment: Uint8Array): string
}

export function createReceipts(secrets: Secrets): Receipts {
  const key = secrets.derive('receipt')
  return {
    of: (row, to, commitment) =>
      createHmac('sha256', key)
        .update(commitment)
        .update(`privity/receipt/2 ${row.sender_id} ${to} ${row.id} ${row.created_at} ${row.identity_key ?? ''}`)
        .digest('base64url'),
  }
}
