/**
 * The form of a sealed message in `content`, so that the server can refuse anything else without code that opens it.
 * Layout (docs/protocol.md): label and version, then six fields, each with its length as 4 bytes big-endian before it:
 * messageId 16, envelopeId 16, iv 12, commitment 32, ciphertext 1,040 or 2,320, signature 64.
 */
const label = 'privity/message'
const version = 1
const prefix = [label.length, ...new TextEncoder().encode(label), version]
const ciphertextSizes = [1024 + 16, 2304 + 16]

/** The offsets of the fields of a sealed message, and the constant bytes between them. */
function layoutOf(ciphertextBytes: number) {
  const constantBytes: [offset: number, byte: number][] = prefix.map((byte, offset) => [offset, byte])
  const starts: number[] = []
  let offset = prefix.length
  for (const size of [16, 16, 12, 32, ciphertextBytes, 64]) {
    for (const shift of [24, 16, 8, 0]) constantBytes.push([offset++, (size >> shift) & 0xff])
    starts.push(offset)
    offset += size
  }
  const [messageId, envelopeId, , commitment, ciphertext, signature] = starts as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return { length: offset, constantBytes, messageId, envelopeId, commitment, ciphertext, signature }
}
const layouts = ciphertextSizes.map(layoutOf)

/** Lengths of `content` that can be a sealed message, in base64url characters. */
export const sealedMessageLengths = layouts.map(({ length }) => Math.ceil((length * 4) / 3))

export interface SealedMessageForm {
  messageId: string
  envelopeId: string
  /** 32 bytes */
  commitment: Uint8Array
  ciphertext: Uint8Array
  /** 64 bytes */
  signature: Uint8Array
}

const hex = [...'0123456789abcdef'].map((digit) => digit.charCodeAt(0))
const hyphen = '-'.charCodeAt(0)
/** Reused by each call, which reads it at once. */
const codes: number[] = Array.from({ length: 36 }, () => hyphen)

function uuidAt(bytes: Uint8Array, offset: number): string {
  let index = 0
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) index++
    const byte = bytes[offset + i] as number
    codes[index++] = hex[byte >> 4] as number
    codes[index++] = hex[byte & 15] as number
  }
  return String.fromCharCode(...codes)
}

/** Reads the unencrypted fields of a sealed message; undefined if the bytes are not of its form. */
export function readSealedMessage(bytes: Uint8Array): SealedMessageForm | undefined {
  const layout = layouts.find(({ length }) => length === bytes.length)
  if (layout === undefined) return undefined
  for (const [offset, byte] of layout.constantBytes) if (bytes[offset] !== byte) return undefined
  return {
    messageId: uuidAt(bytes, layout.messageId),
    envelopeId: uuidAt(bytes, layout.envelopeId),
    commitment: bytes.subarray(layout.commitment, layout.commitment + 32),
    ciphertext: bytes.subarray(layout.ciphertext, layout.signature - 4),
    signature: bytes.subarray(layout.signature),
  }
}

/**
 * Returns what is left of a sealed message that was deleted: its ids and its signature, by which later messages name
 * it, in the form of the shortest message, with zeros in the place of the rest.
 */
export function withoutContent(bytes: Uint8Array): Uint8Array | undefined {
  const from = layouts.find(({ length }) => length === bytes.length)
  const [to] = layouts
  if (from === undefined || to === undefined) return undefined
  const left = new Uint8Array(to.length)
  for (const [offset, byte] of to.constantBytes) left[offset] = byte
  for (const [field, length] of [
    ['messageId', 16],
    ['envelopeId', 16],
    ['signature', 64],
  ] as const)
    left.set(bytes.subarray(from[field], from[field] + length), to[field])
  return left
}
