import { fromBase64urlOf } from '../encoding/base64url.ts'
import { type Bytes, integerBytes } from '../encoding/bytes.ts'
import { encode, firstFieldOffset } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'

/** The connection, participants, epochs and identities that an envelope and its messages are bound to. */
export interface ConversationBinding {
  /** The envelope's id. */
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
const messageIdOffset = firstFieldOffset(label)
const envelopeIdOffset = messageIdOffset + 16 + 4

/** The fields that both an envelope and the header of its messages are bound to, in this order. */
export const bindingFields = (binding: ConversationBinding): Bytes[] => [
  idBytes(binding.id),
  idBytes(binding.connectionId),
  idBytes(binding.from),
  idBytes(binding.to),
  integerBytes(binding.epochFrom, 4),
  integerBytes(binding.epochTo, 4),
  fromBase64urlOf(binding.identityFrom, 32),
  fromBase64urlOf(binding.identityTo, 32),
]

/** The header that an envelope's messages share, with a zero message id. */
export const messageHeader = (binding: ConversationBinding): Bytes =>
  encode(label, [new Uint8Array(16), ...bindingFields(binding)])

/** A message's own header, with room for `extraBytes` behind it. */
export function headerOf(shared: Bytes, messageId: Uint8Array, extraBytes: number): Bytes {
  const bytes = new Uint8Array(shared.length + extraBytes)
  bytes.set(shared)
  bytes.set(messageId, messageIdOffset)
  return bytes
}

/** The envelope's id in a header. */
export const envelopeIdOf = (header: Bytes): Bytes => header.subarray(envelopeIdOffset, envelopeIdOffset + 16)
