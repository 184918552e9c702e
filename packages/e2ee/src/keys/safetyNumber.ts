import { fromBase64urlOf } from '../encoding/base64url.ts'
import type { Bytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'
import { idBytes } from '../encoding/id.ts'

/** A participant of a safety number. */
export interface Participant {
  userId: string
  identityKey: string
}

/** PBKDF2 iterations, the number of Signal's: they multiply the cost of each try at a key with similar digits. */
const iterations = 5200

const digitsPerChunk = 5

/** 30 digits: PBKDF2-HMAC-SHA-512 of the identity, each 5 bytes of it modulo 100,000. */
async function fingerprint({ userId, identityKey }: Participant): Promise<string> {
  const identity = encode('fingerprint', [idBytes(userId), fromBase64urlOf(identityKey, 32)])
  const salt = encode('safety-number', [])
  const secret = await crypto.subtle.importKey('raw', identity, 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations }
  const bytes: Bytes = new Uint8Array(await crypto.subtle.deriveBits(parameters, secret, 240))
  let digits = ''
  for (let offset = 0; offset < bytes.length; offset += 5) {
    const value = bytes.subarray(offset, offset + 5).reduce((sum, byte) => sum * 256 + byte, 0)
    digits += String(value % 100_000).padStart(digitsPerChunk, '0')
  }
  return digits
}

/** 60 digits, the same on both sides whatever the order. */
export async function safetyNumber(one: Participant, other: Participant): Promise<string> {
  if (one.userId === other.userId) throw new E2eeError('WRONG_BINDING', 'A safety number is between two people.')
  const sorted = one.userId < other.userId ? [one, other] : [other, one]
  return (await Promise.all(sorted.map(fingerprint))).join('')
}
