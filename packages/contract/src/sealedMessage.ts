/**
 * The form of a sealed message as it travels in `content`, so that the server can refuse anything
 * else without holding code that opens it. Layout (docs/protocol.md): label and version, then six
 * fields, each with its length as 4 bytes big-endian before it:
 * messageId 16, envelopeId 16, iv 12, commitment 32, ciphertext 1,040 or 2,064, signature 64.
 */
const label = 'privity/message'
const version = 1
const prefix = [label.length, ...new TextEncoder().encode(label), version]
const ciphertextSizes = [1024 + 16, 2048 + 16]

const fixed = [16, 16, 12, 32]
const before = prefix.length + fixed.reduce((sum, size) => sum + 4 + size, 0)
const sizeOf = (ciphertext: number) => before + 4 + ciphertext + 4 + 64

/** Lengths of `content` that can be a sealed message, in base64url characters. */
export const sealedMessageLengths = ciphertextSizes.map((size) => Math.ceil((sizeOf(size) * 4) / 3))

export interface SealedMessageForm {
  messageId: string
  envelopeId: string
  /** 32 bytes */
  commitment: Uint8Array
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function uuidAt(bytes: Uint8Array, at: number): string {
  let text = ''
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += hex[bytes[at + i] as number]
  }
  return text
}

const lengthAt = (bytes: Uint8Array, at: number) =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number)

/** The clear header of a sealed message, or undefined if the bytes are not of its form. */
export function readSealedMessage(bytes: Uint8Array): SealedMessageForm | undefined {
  const size = ciphertextSizes.find((ciphertext) => sizeOf(ciphertext) === bytes.length)
  if (size === undefined) return undefined
  if (prefix.some((byte, at) => bytes[at] !== byte)) return undefined
  const starts: number[] = []
  let at = prefix.length
  for (const expected of [...fixed, size, 64]) {
    if (lengthAt(bytes, at) !== expected) return undefined
    starts.push(at + 4)
    at += 4 + expected
  }
  const [messageId, envelopeId, , commitment] = starts as [number, number, number, number]
  return {
    messageId: uuidAt(bytes, messageId),
    envelopeId: uuidAt(bytes, envelopeId),
    commitment: bytes.subarray(commitment, commitment + 32),
  }
}
