import { randomBytes } from 'node:crypto'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Creates a UUIDv7: 48 bits of `now` (ms), then random bits; sorts by time, which keeps index pages together. */
export function newId(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  let text = ''
  for (let index = 0; index < 16; index++) {
    text += hex[bytes[index] as number]
    if (index === 3 || index === 5 || index === 7 || index === 9) text += '-'
  }
  return text
}
