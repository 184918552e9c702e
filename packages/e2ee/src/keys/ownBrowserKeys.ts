import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, concat, integerBytes } from '../encoding/bytes.ts'
import { decode, encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'
import type { BrowserLink, BrowserSeeds } from './browserEntry.ts'

/**
 * The keys of a browser as it keeps them, for sealPrivate. `seeds` are those in use, of entry `n`; n is 0 before the
 * first entry. `next` are those of entry n + 1, from before it is sent until the server shows that it has stored it.
 * `links` are the newest links of this browser, up to n, for a server that lacks them after a restored backup.
 */
export interface OwnBrowserKeys {
  n: number
  seeds?: BrowserSeeds | undefined
  next?: BrowserSeeds | undefined
  links: readonly BrowserLink[]
}

const none = new Uint8Array(0)
const seedBytes = 32
const linkBytes = 132

/** The number of links that a browser keeps: those of about three weeks. */
export const maxKeptLinks = 64

function writeSeeds(seeds: BrowserSeeds | undefined): Bytes {
  if (seeds === undefined) return none
  const both = [seeds.kemSeed, seeds.signSeed]
  if (both.some(({ length }) => length !== seedBytes))
    throw new E2eeError('MALFORMED', 'A seed of a browser has 32 bytes.')
  return concat(...both)
}

// Copied with slice: otherwise they would be views into the plaintext.
const readSeeds = (bytes: Bytes): BrowserSeeds | undefined =>
  bytes.length === 0 ? undefined : { kemSeed: bytes.slice(0, seedBytes), signSeed: bytes.slice(seedBytes) }

const writeLink = ({ n, signKey, entryHash, signature }: BrowserLink): Bytes =>
  concat(
    integerBytes(n, 4),
    fromBase64urlOf(signKey, 32),
    fromBase64urlOf(entryHash, 32),
    fromBase64urlOf(signature, 64),
  )

const readNumber = (bytes: Bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)

function readLink(bytes: Bytes): BrowserLink {
  const text = (start: number, end: number) => toBase64url(bytes.subarray(start, end))
  return { n: readNumber(bytes), signKey: text(4, 36), entryHash: text(36, 68), signature: text(68, linkBytes) }
}

/** Throws MALFORMED if there are no seeds at all, or if `n` is not 0 without seeds in use, or 0 with them. */
export function writeOwnBrowserKeys({ n, seeds, next, links }: OwnBrowserKeys): Bytes {
  checkKeys(n, seeds, next)
  const kept = links.slice(-maxKeptLinks).map(writeLink)
  return encode('browser-pair', [integerBytes(n, 4), writeSeeds(seeds), writeSeeds(next), concat(...kept)])
}

/** Throws MALFORMED. */
export function readOwnBrowserKeys(plain: Bytes): OwnBrowserKeys {
  const optional = [0, 2 * seedBytes]
  const lengths = Array.from({ length: maxKeptLinks + 1 }, (_, count) => count * linkBytes)
  const fields = decode('browser-pair', plain, [4, optional, optional, lengths])
  const [number, inUse, ofNext, joined] = fields as [Bytes, Bytes, Bytes, Bytes]
  const [n, seeds, next] = [readNumber(number), readSeeds(inUse), readSeeds(ofNext)]
  checkKeys(n, seeds, next)
  const links = Array.from({ length: joined.length / linkBytes }, (_, index) =>
    readLink(joined.subarray(index * linkBytes, (index + 1) * linkBytes)),
  )
  return { n, ...(seeds && { seeds }), ...(next && { next }), links }
}

function checkKeys(n: number, seeds: BrowserSeeds | undefined, next: BrowserSeeds | undefined): void {
  if ((n === 0) !== (seeds === undefined) || (seeds === undefined && next === undefined))
    throw new E2eeError('MALFORMED', 'These are not the keys of a browser.')
}
