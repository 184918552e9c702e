import { type Decode, encode, idBytes, integerBytes } from '../keys/canonicalForm.ts'

/**
 * The bytes that the signature of a message is over (docs/protocol.md), so that the server can refuse a message that
 * its sender's identity key did not sign.
 */
export interface MessageBinding {
  messageId: string
  envelopeId: string
  connectionId: string
  from: string
  to: string
  epochFrom: number
  epochTo: number
  /** base64url of 32 bytes each: of the sender, of the recipient */
  identityFrom: string
  identityTo: string
}

/** header ‖ commitment ‖ SHA-256(ciphertext) */
export function signedMessageBytes(
  binding: MessageBinding,
  commitment: Uint8Array,
  ciphertextHash: Uint8Array,
  decode: Decode,
): Uint8Array<ArrayBuffer> {
  const fields = [
    idBytes(binding.messageId),
    idBytes(binding.envelopeId),
    idBytes(binding.connectionId),
    idBytes(binding.from),
    idBytes(binding.to),
    integerBytes(binding.epochFrom, 4),
    integerBytes(binding.epochTo, 4),
    decode(binding.identityFrom),
    decode(binding.identityTo),
  ]
  const after = commitment.length + ciphertextHash.length
  const bytes = encode('message-header', fields, after)
  bytes.set(commitment, bytes.length - after)
  bytes.set(ciphertextHash, bytes.length - ciphertextHash.length)
  return bytes
}
