import { type Bytes, integerBytes } from '../encoding/bytes.ts'
import { decode, encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'

/**
 * The keys of a browser as it keeps them, for sealPrivate. `signSeed` is that of its signing key, which stays. `n` is
 * the number of the pair in use, 0 before the first; `next` is the pair that takes its place, from before it is sent
 * until the server is seen to have it.
 */
export interface BrowserPair {
  signSeed: Bytes
  n: number
  seed?: Bytes | undefined
  next?: Bytes | undefined
}

const none = new Uint8Array(0)
const keyBytes = 32

/** Throws MALFORMED for a pair that holds no seed at all, or one without a number. */
export function writeBrowserPair({ signSeed, n, seed = none, next = none }: BrowserPair): Bytes {
  checkPair(n, seed, next)
  if (signSeed.length !== keyBytes) throw new E2eeError('MALFORMED', 'The signing key of a browser has 32 bytes.')
  return encode('browser-pair', [signSeed, integerBytes(n, 4), seed, next])
}

/** Throws MALFORMED. */
export function readBrowserPair(plain: Bytes): BrowserPair {
  const optional = [0, keyBytes]
  const fields = decode('browser-pair', plain, [keyBytes, 4, optional, optional])
  const [signSeed, number, seed, next] = fields as [Bytes, Bytes, Bytes, Bytes]
  const n = new DataView(number.buffer, number.byteOffset).getUint32(0)
  checkPair(n, seed, next)
  // Copied, because they are views into `plain`.
  const seeds = { ...(seed.length > 0 && { seed: seed.slice() }), ...(next.length > 0 && { next: next.slice() }) }
  return { signSeed: signSeed.slice(), n, ...seeds }
}

function checkPair(n: number, seed: Bytes, next: Bytes): void {
  const isWhole = [seed, next].every(({ length }) => length === 0 || length === keyBytes)
  if (!isWhole || (n === 0) !== (seed.length === 0) || seed.length + next.length === 0)
    throw new E2eeError('MALFORMED', 'This is not the pair of a browser.')
}
