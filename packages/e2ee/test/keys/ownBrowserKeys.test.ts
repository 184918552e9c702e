import { expect, test } from 'vitest'
import { encode } from '../../src/encoding/canonical.ts'
import { concat, integerBytes } from '../../src/encoding/bytes.ts'
import { randomBytes, toBase64url } from '../../src/index.ts'
import type { BrowserLink } from '../../src/keys/browserEntry.ts'
import { maxKeptLinks, readOwnBrowserKeys, writeOwnBrowserKeys } from '../../src/keys/ownBrowserKeys.ts'
import { refusal } from '../support/refusals.ts'

const createSeeds = () => ({ kemSeed: randomBytes(32), signSeed: randomBytes(32) })
const [seeds, next] = [createSeeds(), createSeeds()]
const [number, none, links] = [integerBytes(3, 4), new Uint8Array(0), [] as BrowserLink[]]
const bytesOf = ({ kemSeed, signSeed } = seeds) => concat(kemSeed, signSeed)

const linkOf = (n: number): BrowserLink => ({
  n,
  signKey: toBase64url(randomBytes(32)),
  entryHash: toBase64url(randomBytes(32)),
  signature: toBase64url(randomBytes(64)),
})

test('the keys are read as they were written: before the first, in use, and before the next', () => {
  for (const keys of [
    { n: 0, next, links },
    { n: 3, seeds, links: [linkOf(3)] },
    { n: 3, seeds, next, links: [1, 2, 3].map(linkOf) },
  ])
    expect(readOwnBrowserKeys(writeOwnBrowserKeys(keys))).toEqual(keys)
})

test('the keys of a browser are encoded as documented', () => {
  const encoded = encode('browser-pair', [number, bytesOf(), none, none])
  expect(writeOwnBrowserKeys({ n: 3, seeds, links })).toEqual(encoded)
  const [signKey, entryHash, signature] = [randomBytes(32), randomBytes(32), randomBytes(64)]
  const [key, hash] = [toBase64url(signKey), toBase64url(entryHash)]
  const link = { n: 3, signKey: key, entryHash: hash, signature: toBase64url(signature) }
  const fields = [number, bytesOf(), bytesOf(next), concat(number, signKey, entryHash, signature)]
  expect(writeOwnBrowserKeys({ n: 3, seeds, next, links: [link] })).toEqual(encode('browser-pair', fields))
})

test('of the links the newest 64 are kept', () => {
  const all = Array.from({ length: maxKeptLinks + 2 }, (_, i) => linkOf(i + 1))
  expect(readOwnBrowserKeys(writeOwnBrowserKeys({ n: all.length, seeds, links: all })).links).toEqual(all.slice(2))
  expect(maxKeptLinks).toBe(64)
})

test('keys without seeds, or a number without its seeds, are refused', async () => {
  for (const keys of [{ n: 0 }, { n: 3, next }, { n: 0, seeds }]) {
    expect(await refusal(() => writeOwnBrowserKeys({ ...keys, links }))).toBe('MALFORMED')
    const both = [keys.seeds, keys.next].map((each) => (each ? bytesOf(each) : none))
    expect(
      await refusal(() => readOwnBrowserKeys(encode('browser-pair', [integerBytes(keys.n, 4), ...both, none]))),
    ).toBe('MALFORMED')
  }
})

test('a seed of another length is refused', async () => {
  for (const wrong of [none, randomBytes(31), randomBytes(33)])
    for (const change of [{ kemSeed: wrong }, { signSeed: wrong }]) {
      const bad = { ...seeds, ...change }
      expect(await refusal(() => writeOwnBrowserKeys({ n: 3, seeds: bad, links }))).toBe('MALFORMED')
      expect(await refusal(() => writeOwnBrowserKeys({ n: 3, seeds, next: bad, links }))).toBe('MALFORMED')
      const fields = [number, bytesOf(bad), none, none]
      expect(await refusal(() => readOwnBrowserKeys(encode('browser-pair', fields)))).toBe('MALFORMED')
    }
})

test('keys of any other length are refused', async () => {
  const good = writeOwnBrowserKeys({ n: 3, seeds, next, links: [linkOf(3)] })
  for (let length = 0; length < good.length; length++)
    expect(await refusal(() => readOwnBrowserKeys(good.slice(0, length)))).toBe('MALFORMED')
})
