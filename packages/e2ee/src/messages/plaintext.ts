import { isFile, maxBodyBytes, type MessageBody, writeBody } from './body.ts'
import type { MessageContext } from './context.ts'
import type { Bytes } from '../encoding/bytes.ts'
import { E2eeError } from '../errors.ts'
import { ivBytes } from '../primitives/aead.ts'

const keyBytes = 32
const bodyOffset = keyBytes + 2

export const plaintextSizes = [1024, bodyOffset + maxBodyBytes] as const
const [short, long] = plaintextSizes

/** The encrypted bytes: frankingKey (32) || length of the body (2, big-endian) || body || zeros. */
export interface Plaintext {
  /** 1,024 or 2,304 bytes; the two below are views into it. */
  padded: Bytes
  frankingKey: Bytes
  body: Bytes
}

const fitsShort = ({ length }: Bytes) => bodyOffset + length <= short

/** All files have the larger size, so that it does not show which have a thumbnail. */
const sizeFor = (body: Bytes) => (fitsShort(body) && !isFile(body) ? short : long)

function partsOf(padded: Bytes, length: number): Plaintext {
  return { padded, frankingKey: padded.subarray(0, keyBytes), body: padded.subarray(bodyOffset, bodyOffset + length) }
}

/**
 * Lays out the plaintext with a new franking key, and the IV to encrypt it under. Both come from one random draw into
 * the plaintext's own memory, because each further allocation costs as much as the encryption. Throws TOO_LONG or
 * MALFORMED.
 */
export function layOut(body: MessageBody, context: MessageContext): Plaintext & { iv: Bytes } {
  const memory = new Uint8Array(ivBytes + long)
  crypto.getRandomValues(memory.subarray(0, ivBytes + keyBytes))
  const plain = memory.subarray(ivBytes)
  const length = writeBody(body, context, plain.subarray(bodyOffset))
  plain[keyBytes] = length >> 8
  plain[keyBytes + 1] = length & 0xff
  const size = sizeFor(plain.subarray(bodyOffset, bodyOffset + length))
  return { iv: memory.subarray(0, ivBytes), ...partsOf(plain.subarray(0, size), length) }
}

/** Another size than the body has, or padding other than zeros, throws MALFORMED. */
export function readPadded(padded: Bytes): Plaintext {
  const length = ((padded[keyBytes] as number) << 8) | (padded[keyBytes + 1] as number)
  let rest = 0
  for (let offset = bodyOffset + length; offset < padded.length; offset++) rest |= padded[offset] as number
  const parts = partsOf(padded, length)
  const canonical = bodyOffset + length <= padded.length && padded.length === sizeFor(parts.body) && rest === 0
  if (!canonical) throw new E2eeError('MALFORMED', 'The padding is not canonical.')
  return parts
}
