import { randomBytes } from 'node:crypto'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Creates a UUIDv7: 48 bits of `now` (ms), then random bits; sorts by time, which keeps index pages together. */
export function newId(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  let text = ''
  for (let at = 0; at < 16; at++) {
    text += hex[bytes[at] as number]
    if (at === 3 || at === 5 || at === 7 || at === 9) text += '-'
  }
  return text
}
