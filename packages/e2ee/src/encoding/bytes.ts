import { E2eeError } from '../errors.ts'

/** Bytes with their own ArrayBuffer, as WebCrypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Encodes as UTF-8. A lone surrogate is refused: it would decode as another character. */
export function toUtf8(text: string): Bytes {
  if (!text.isWellFormed()) throw new E2eeError('MALFORMED', 'The text holds half a character.')
  return encoder.encode(text)
}

/** Writes UTF-8 to the start of `target` and returns its length, or undefined if it does not fit. */
export function writeUtf8(text: string, target: Bytes): number | undefined {
  if (!text.isWellFormed()) throw new E2eeError('MALFORMED', 'The text holds half a character.')
  const { read, written } = encoder.encodeInto(text, target)
  return read === text.length ? written : undefined
}

export function fromUtf8(bytes: Bytes): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new E2eeError('MALFORMED', 'The bytes are not UTF-8.', { cause })
  }
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export function concat(...parts: readonly ArrayLike<number>[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Compares without stopping at the first difference. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number)
  return difference === 0
}

/** Big-endian unsigned integer of `length` bytes (at most 8); refused unless a safe integer that fits. */
export function integerBytes(value: number, length: 4 | 8): Bytes {
  const max = length === 4 ? 0xffffffff : Number.MAX_SAFE_INTEGER
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new E2eeError('MALFORMED', `${value} is not a whole number from 0 to ${max}.`)
  }
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  if (length === 8) view.setUint32(0, Math.floor(value / 2 ** 32))
  view.setUint32(length - 4, value % 2 ** 32)
  return bytes
}

/** The reverse of integerBytes for 8 bytes. */
export function readInteger(bytes: Bytes): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const value = view.getUint32(0) * 2 ** 32 + view.getUint32(4)
  if (!Number.isSafeInteger(value)) throw new E2eeError('MALFORMED', 'The number is too large.')
  return value
}
