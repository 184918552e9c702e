import { createHash } from 'node:crypto'
import {
  hashedBrowserBytes,
  signedBrowserBytes,
  signedBrowserModeBytes,
  signedLinkBytes,
  signedRecoveryPairBytes,
  signedRemovalBytes,
  signedSessionBytes,
} from '@privity/contract/signedBytes'
import { describe, expect, test } from 'vitest'
import { integerBytes } from '../../src/encoding/bytes.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import {
  type BrowserEntry,
  browserEntryHash,
  type BrowserLink,
  browserPublicKey,
  browserSignKey,
  createBrowserEntry,
  createBrowserRemoval,
  createRecoveryPair,
  signBrowserMode,
  signBrowserSession,
  verifyBrowserEntry,
  toBrowserLink,
  verifyBrowserLinks,
  verifyBrowserRemoval,
} from '../../src/keys/browserEntry.ts'
import { fromBase64url, newId, randomBytes, toBase64url } from '../../src/index.ts'
import { publicKeyOf, verify } from '../../src/primitives/signatures.ts'
import { createPerson, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const [ada, ben] = [await createPerson(), await createPerson()]
const browserId = newId(now)
const createSeeds = () => ({ kemSeed: randomBytes(32), signSeed: randomBytes(32) })
const seeds = Array.from({ length: 4 }, createSeeds)
const [{ kemSeed, signSeed }] = seeds as [ReturnType<typeof createSeeds>]
const own = { identity: ada.identity, userId: ada.userId, browserId, createdAt: now }

/** Entry `n` with its own seeds, signed by the key before it. */
const entryOf = (n: number, change: Partial<Parameters<typeof createBrowserEntry>[0]> = {}) => {
  const [mine, before] = [seeds[n - 1] ?? createSeeds(), seeds[Math.max(n - 2, 0)] ?? createSeeds()]
  return createBrowserEntry({ ...own, n, seeds: mine, signer: before.signSeed, ...change })
}
const [first, second, third, fourth] = (await Promise.all([1, 2, 3, 4].map((n) => entryOf(n)))) as [
  BrowserEntry,
  BrowserEntry,
  BrowserEntry,
  BrowserEntry,
]

const bytesOf = (entry: BrowserEntry) =>
  encode('browser', [
    idBytes(entry.userId),
    fromBase64url(ada.identityKey),
    idBytes(entry.browserId),
    integerBytes(entry.n, 4),
    fromBase64url(entry.kemKey),
    fromBase64url(entry.signKey),
    integerBytes(entry.createdAt, 8),
  ])

const hashOf = (entry: BrowserEntry) =>
  createHash('sha256')
    .update(encode('browser-hash', [bytesOf(entry), fromBase64url(entry.signature)]))
    .digest()

const linkBytesOf = (entry: BrowserEntry) =>
  encode('browser-link', [
    idBytes(entry.userId),
    idBytes(entry.browserId),
    integerBytes(entry.n, 4),
    fromBase64url(entry.signKey),
    hashOf(entry),
  ])

describe('the entry of a browser', () => {
  test('is signed over the documented bytes', async () => {
    await verify(ada.identityKey, fromBase64url(first.signature), bytesOf(first))
    await verifyBrowserEntry(ada.identityKey, first)
    expect(first).toMatchObject({
      n: 1,
      kemKey: await browserPublicKey(kemSeed),
      signKey: await browserSignKey(signSeed),
    })
    expect(browserEntryHash(ada.identityKey, first)).toBe(hashOf(first).toString('base64url'))
  })

  test('is refused of another identity', async () => {
    expect(await refusal(verifyBrowserEntry(ben.identityKey, first))).toBe('BAD_SIGNATURE')
    expect(await refusal(verifyBrowserEntry(ada.identityKey, { ...first, userId: ben.userId }))).toBe('BAD_SIGNATURE')
  })

  test('is refused with another number, date or signing key, and with number 0', async () => {
    for (const altered of [{ n: 2 }, { createdAt: now + 1 }, { signKey: second.signKey }, { n: 0 }])
      expect(await refusal(verifyBrowserEntry(ada.identityKey, { ...first, ...altered }))).toMatch(/BAD_S|MALF/)
    expect(await refusal(entryOf(0))).toBe('MALFORMED')
  })

  test('is refused with any bit of its key turned', async () => {
    const open = (kemKey: Uint8Array) => verifyBrowserEntry(ada.identityKey, { ...first, kemKey: toBase64url(kemKey) })
    expect(await unnoticedFlips(fromBase64url(first.kemKey), open, 7)).toEqual([])
  })

  test('of number 1 is signed by its own key, and made with no other', async () => {
    await verify(await publicKeyOf(signSeed), fromBase64url(first.browserSignature), linkBytesOf(first))
    expect(await refusal(entryOf(1, { signer: randomBytes(32) }))).toBe('WRONG_BINDING')
  })
})

describe('the links of a browser', () => {
  const toLink = (entry: BrowserEntry) => toBrowserLink(ada.identityKey, entry)
  const links = [second, third, fourth].map(toLink)
  const check = (all: readonly BrowserLink[], known: { n: number; signKey: string } = first, browser = first) =>
    refusal(verifyBrowserLinks(browser, known, all))

  test('are each signed by the key before them over the documented bytes', async () => {
    await verify(first.signKey, fromBase64url(second.browserSignature), linkBytesOf(second))
    await verifyBrowserLinks(first, first, links)
    await verifyBrowserLinks(first, third, links.slice(2))
    await verifyBrowserLinks(first, { n: 0, signKey: first.signKey }, [toLink(first), ...links])
  })

  test('are refused where one is missing, twice, turned round or broken', async () => {
    const [one, two, three] = links as [BrowserLink, BrowserLink, BrowserLink]
    for (const wrong of [[one, three], [two, three], [one, one, two], [two, one], [three]])
      expect(await check(wrong)).toBe('WRONG_BINDING')
    for (const broken of [
      { ...two, signature: one.signature },
      { ...two, signKey: three.signKey },
      { ...two, entryHash: one.entryHash },
    ])
      expect(await check([one, broken, three])).toBe('BAD_SIGNATURE')
  })

  test('are refused from another key than the one known, also one that signed them once', async () => {
    expect(await check(links, { n: 1, signKey: second.signKey })).toBe('BAD_SIGNATURE')
    // Left out, with the numbers moved up.
    expect(await check([{ ...(links[1] as BrowserLink), n: 2 }])).toBe('BAD_SIGNATURE')
  })

  test('are refused of another browser or user', async () => {
    for (const other of [
      { ...first, browserId: newId(now) },
      { ...first, userId: ben.userId },
    ])
      expect(await check(links, first, other)).toBe('BAD_SIGNATURE')
  })

  test('bind the whole entry, with its identity, pair and date', async () => {
    const under = await createBrowserEntry({
      ...{ ...own, identity: ben.identity, n: 2, signer: signSeed },
      seeds: seeds[1] as ReturnType<typeof createSeeds>,
    })
    await verifyBrowserLinks(first, first, [toBrowserLink(ben.identityKey, under)])
    const other = await entryOf(2, { createdAt: now + 1 })
    const pair = await entryOf(2, { seeds: { kemSeed: randomBytes(32), signSeed: seeds[1]?.signSeed ?? signSeed } })
    for (const wrong of [other, pair])
      expect(await check([toLink({ ...wrong, browserSignature: second.browserSignature })])).toBe('BAD_SIGNATURE')
    const moved = toBrowserLink(ben.identityKey, { ...under, browserSignature: second.browserSignature })
    expect(await check([moved])).toBe('BAD_SIGNATURE')
  })

  test('are refused with any bit turned, of signature or key, and of another length', async () => {
    const [link] = links as [BrowserLink]
    const open = (change: Partial<BrowserLink>) => verifyBrowserLinks(first, first, [{ ...link, ...change }])
    const withSignature = (bytes: Uint8Array) => open({ signature: toBase64url(bytes) })
    const withKey = (bytes: Uint8Array) => open({ signKey: toBase64url(bytes) })
    expect(await unnoticedFlips(fromBase64url(link.signature), withSignature, 3)).toEqual([])
    expect(await unnoticedFlips(fromBase64url(link.signKey), withKey, 3)).toEqual([])
    for (const bytes of [randomBytes(63), new Uint8Array(0)])
      expect(await refusal(withSignature(bytes))).toBe('MALFORMED')
    expect(await refusal(withKey(randomBytes(31)))).toBe('MALFORMED')
  })
})

describe('the session of a browser', () => {
  const bound = { userId: ada.userId, sessionId: newId(now), browserId }

  test('is signed by the key of the browser over the documented bytes', async () => {
    const fields = [bound.userId, bound.sessionId, bound.browserId].map(idBytes)
    const signature = fromBase64url(await signBrowserSession(signSeed, bound))
    await verify(first.signKey, signature, encode('browser-session', fields))
    for (const other of [ben.userId, newId(now)])
      for (let at = 0; at < fields.length; at++) {
        const wrong = encode('browser-session', fields.with(at, idBytes(other)))
        expect(await refusal(verify(first.signKey, signature, wrong))).toBe('BAD_SIGNATURE')
      }
  })
})

describe('the removal of a browser', () => {
  test('is signed over the documented bytes', async () => {
    const removal = await createBrowserRemoval(ada.identity, { userId: ada.userId, browserId, createdAt: now })
    const fields = [idBytes(ada.userId), fromBase64url(ada.identityKey), idBytes(browserId), integerBytes(now, 8)]
    await verify(ada.identityKey, fromBase64url(removal.signature), encode('browser-removed', fields))
    await verifyBrowserRemoval(ada.identityKey, removal)
  })

  test('is refused for another browser, date, user or identity', async () => {
    const removal = await createBrowserRemoval(ada.identity, { userId: ada.userId, browserId, createdAt: now })
    for (const altered of [{ browserId: newId(now) }, { createdAt: now - 1 }, { userId: ben.userId }])
      expect(await refusal(verifyBrowserRemoval(ada.identityKey, { ...removal, ...altered }))).toBe('BAD_SIGNATURE')
    expect(await refusal(verifyBrowserRemoval(ben.identityKey, removal))).toBe('BAD_SIGNATURE')
  })
})

describe('the server', () => {
  const { userId, identityKey, identity } = ada
  const verifies = (signature: string, bytes: Uint8Array) =>
    verify(identityKey, fromBase64url(signature), Uint8Array.from(bytes))

  test('builds the bytes of an entry, of its hash and of its link as browsers do', async () => {
    await verifies(second.signature, signedBrowserBytes(identityKey, second, fromBase64url))
    const hashed = hashedBrowserBytes(identityKey, second, fromBase64url)
    const entryHash = createHash('sha256').update(hashed).digest('base64url')
    expect(entryHash).toBe(browserEntryHash(identityKey, second))
    const link = signedLinkBytes(second, { ...second, entryHash }, fromBase64url)
    await verify(first.signKey, fromBase64url(second.browserSignature), link)
  })

  test('builds the bytes of the session of a browser as browsers do', async () => {
    const bound = { userId, sessionId: newId(now), browserId }
    const signature = fromBase64url(await signBrowserSession(signSeed, bound))
    await verify(first.signKey, signature, signedSessionBytes(bound))
  })

  test('builds the bytes of a removal and of the recovery pair as browsers do', async () => {
    const removal = await createBrowserRemoval(identity, { userId, browserId, createdAt: now })
    await verifies(removal.signature, signedRemovalBytes(identityKey, removal, fromBase64url))
    const pair = await createRecoveryPair(identity, userId, kemSeed)
    await verifies(pair.signature, signedRecoveryPairBytes(identityKey, userId, pair, fromBase64url))
  })

  test('builds the bytes of a change of the mode as browsers do', async () => {
    for (const onlyApproved of [true, false]) {
      const change = { userId, onlyApproved, n: 21 }
      const signature = await signBrowserMode(identity, change)
      await verifies(signature, signedBrowserModeBytes(identityKey, change, fromBase64url))
      const other = signedBrowserModeBytes(identityKey, { ...change, onlyApproved: !onlyApproved }, fromBase64url)
      expect(await refusal(verifies(signature, other))).toBe('BAD_SIGNATURE')
      const later = signedBrowserModeBytes(identityKey, { ...change, n: 22 }, fromBase64url)
      expect(await refusal(verifies(signature, later))).toBe('BAD_SIGNATURE')
    }
  })
})
