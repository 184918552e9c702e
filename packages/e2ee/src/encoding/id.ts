import { type Bytes, randomBytes } from './bytes.ts'
import { E2eeError } from '../errors.ts'

/** The indices of the hyphens in a UUID. */
const hyphens = [8, 13, 18, 23]
const hyphen = 0x2d

/** Values of the digits 0-9 and a-f by character code; 16 for any other. */
const digits = new Uint8Array(128).fill(16)
for (let value = 0; value < 16; value++) digits[value.toString(16).charCodeAt(0)] = value

/** The 16 bytes of a lower-case UUID; any other text throws MALFORMED. */
export function idBytes(id: string): Bytes {
  const bytes = new Uint8Array(16)
  let wrong = id.length ^ 36
  for (const index of hyphens) wrong |= id.charCodeAt(index) ^ hyphen
  let index = 0
  for (let to = 0; to < 16; to++) {
    if (to === 4 || to === 6 || to === 8 || to === 10) index++
    const high = digits[id.charCodeAt(index)] ?? 16
    const low = digits[id.charCodeAt(index + 1)] ?? 16
    wrong |= (high | low) & 16
    bytes[to] = (high << 4) | low
    index += 2
  }
  if (wrong !== 0) throw new E2eeError('MALFORMED', 'An identifier is not a lower-case UUID.')
  return bytes
}

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function idText(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexOf[byte]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A UUIDv7 (RFC 9562): `now` in milliseconds, then 74 random bits. */
export function newId(now: number): string {
  const bytes = randomBytes(16)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, Math.floor(now / 2 ** 16))
  view.setUint16(4, now % 2 ** 16)
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f)
  return idText(bytes)
}
