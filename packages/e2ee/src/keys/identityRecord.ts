import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, integerBytes } from '../encoding/bytes.ts'
import { decode, encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'

// An entry point of its own: only users who have replaced their keys load it.

/** An identity of the same user that was replaced; `lastEpoch` is the number of the last epoch it signed. */
export interface FormerIdentity {
  publicKey: string
  lastEpoch: number
}

const keyBytes = 32
const entryBytes = keyBytes + 4

/** Older identities are dropped: a browser of the user's that last saw one takes the current identity for altered. */
const maxFormer = 100

/**
 * Encodes an identity for sealPrivate: its seed, and the identities it replaced, newest first. The account key
 * authenticates them, so that another browser of the user can tell their replacement from a deception.
 */
export function writeIdentity(seed: Bytes, former: readonly FormerIdentity[]): Bytes {
  if (seed.length !== keyBytes) throw new E2eeError('MALFORMED', 'The seed of an identity has 32 bytes.')
  if (former.length === 0) return seed
  const entries = new Uint8Array(entryBytes * Math.min(former.length, maxFormer))
  for (const [index, { publicKey, lastEpoch }] of former.slice(0, maxFormer).entries()) {
    entries.set(fromBase64urlOf(publicKey, keyBytes), index * entryBytes)
    entries.set(integerBytes(lastEpoch, 4), index * entryBytes + keyBytes)
  }
  return encode('identity', [seed, entries])
}

/** Throws MALFORMED. */
export function readIdentity(plain: Bytes): { seed: Bytes; former: FormerIdentity[] } {
  if (plain.length === keyBytes) return { seed: plain, former: [] }
  const [seed, entries] = decode('identity', plain, [keyBytes, undefined]) as [Bytes, Bytes]
  const count = entries.length / entryBytes
  const former: FormerIdentity[] = []
  for (let offset = 0; offset < entries.length; offset += entryBytes) {
    const entry = entries.subarray(offset, offset + entryBytes)
    const publicKey = toBase64url(entry.slice(0, keyBytes))
    if (entry.length === entryBytes)
      former.push({ publicKey, lastEpoch: new DataView(entry.buffer, entry.byteOffset).getUint32(keyBytes) })
  }
  const isOrdered = former.every(({ lastEpoch }, index) => lastEpoch < (former[index - 1]?.lastEpoch ?? Infinity))
  if (count < 1 || count > maxFormer || former.length !== count || !isOrdered)
    throw new E2eeError('MALFORMED', 'The record of former identities is not canonical.')
  return { seed, former }
}
