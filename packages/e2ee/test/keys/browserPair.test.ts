import { expect, test } from 'vitest'
import { encode } from '../../src/encoding/canonical.ts'
import { integerBytes } from '../../src/encoding/bytes.ts'
import { randomBytes } from '../../src/index.ts'
import { readBrowserPair, writeBrowserPair } from '../../src/keys/browserPair.ts'
import { refusal } from '../support/refusals.ts'

const [signSeed, seed, next] = [randomBytes(32), randomBytes(32), randomBytes(32)]

test('a pair is read as it was written: before the first, in use, and before the next', () => {
  for (const pair of [
    { signSeed, n: 0, next },
    { signSeed, n: 3, seed },
    { signSeed, n: 3, seed, next },
  ])
    expect(readBrowserPair(writeBrowserPair(pair))).toEqual(pair)
})

test('a pair is encoded as documented', () => {
  const encoded = encode('browser-pair', [signSeed, integerBytes(3, 4), seed, new Uint8Array(0)])
  expect(writeBrowserPair({ signSeed, n: 3, seed })).toEqual(encoded)
})

test('a pair without a seed, or a number without its seed, is refused', async () => {
  for (const pair of [{ n: 0 }, { n: 3, next }, { n: 0, seed }, { n: 3, seed: randomBytes(31) }]) {
    expect(await refusal(() => writeBrowserPair({ signSeed, ...pair }))).toBe('MALFORMED')
    const fields = [signSeed, integerBytes(pair.n, 4), pair.seed ?? new Uint8Array(0), pair.next ?? new Uint8Array(0)]
    expect(await refusal(() => readBrowserPair(encode('browser-pair', fields)))).toBe('MALFORMED')
  }
})

test('a browser whose signing key has another length is refused', async () => {
  for (const wrong of [new Uint8Array(0), randomBytes(31), randomBytes(33)]) {
    expect(await refusal(() => writeBrowserPair({ signSeed: wrong, n: 3, seed }))).toBe('MALFORMED')
    const fields = [wrong, integerBytes(3, 4), seed, new Uint8Array(0)]
    expect(await refusal(() => readBrowserPair(encode('browser-pair', fields)))).toBe('MALFORMED')
  }
})

test('a pair of any other length is refused', async () => {
  const good = writeBrowserPair({ signSeed, n: 3, seed, next })
  for (let length = 0; length < good.length; length++)
    expect(await refusal(() => readBrowserPair(good.slice(0, length)))).toBe('MALFORMED')
})
