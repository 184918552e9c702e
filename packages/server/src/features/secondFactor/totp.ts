import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with the parameters that every authenticator app uses: HMAC-SHA-1, 30 seconds, 6 digits. */
const stepMs = 30_000
/** Accepted steps before and after the server's own: clocks differ, and typing takes time. */
const window = 1

export const secretBytes = 20

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base32 without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(buffer >>> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet[(buffer << (5 - bits)) & 31]
}

/** The code of one time step (RFC 4226, section 5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** The newest time step around `now` (ms) that has this code. Compares all of them, in constant time. */
export function findStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const actual = Buffer.from(code.replace(' ', '').padEnd(6).slice(0, 6))
  const current = Math.floor(now / stepMs)
  let found: number | undefined
  for (let step = current - window; step <= current + window; step++) {
    if (timingSafeEqual(actual, Buffer.from(codeOf(secret, step)))) found = step
  }
  return found
}

/** Number of accepted steps that are stored for an app; older ones are deleted. */
export const maxStoredSteps = 100

/**
 * Whether a code of this step may be accepted, given the steps in `used`: never twice, and none before the last one. A
 * step ahead of the clock was used while the clock was ahead, and does not block earlier steps. Once the list is full,
 * a step older than all of it may have been used, so it is refused.
 */
export function isUnused(step: number, used: readonly number[], now: number): boolean {
  if (used.includes(step)) return false
  const newest = Math.floor(now / stepMs) + window
  const mayBeDeleted = used.length >= maxStoredSteps && step < Math.min(...used)
  return !mayBeDeleted && used.every((each) => each < step || each > newest)
}

/** The content of the QR code. */
export function uriOf(secret: string, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
}
