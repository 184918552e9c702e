import { fromBase64urlOf } from './base64url.ts'
import { type Bytes, integerBytes } from './bytes.ts'
import { encode, firstFieldAt } from './canonical.ts'
import { idBytes } from './id.ts'

/** Whom and what an envelope and its messages belong to. */
export interface ConversationBinding {
  /** of the envelope */
  readonly id: string
  readonly connectionId: string
  readonly from: string
  readonly to: string
  readonly epochFrom: number
  readonly epochTo: number
  readonly identityFrom: string
  readonly identityTo: string
}

const label = 'message-header'
const messageIdAt = firstFieldAt(label)
const envelopeIdAt = messageIdAt + 16 + 4

/** The header that an envelope's messages share, with a zero message id. */
export function messageHeader(binding: ConversationBinding): Bytes {
  return encode(label, [
    new Uint8Array(16),
    idBytes(binding.id),
    idBytes(binding.connectionId),
    idBytes(binding.from),
    idBytes(binding.to),
    integerBytes(binding.epochFrom, 4),
    integerBytes(binding.epochTo, 4),
    fromBase64urlOf(binding.identityFrom, 32),
    fromBase64urlOf(binding.identityTo, 32),
  ])
}

/** A message's own header, with room for `after` bytes behind it. */
export function headerOf(shared: Bytes, messageId: Uint8Array, after: number): Bytes {
  const bytes = new Uint8Array(shared.length + after)
  bytes.set(shared)
  bytes.set(messageId, messageIdAt)
  return bytes
}

/** The envelope's id out of a header. */
export const envelopeIdOf = (header: Bytes): Bytes => header.subarray(envelopeIdAt, envelopeIdAt + 16)
