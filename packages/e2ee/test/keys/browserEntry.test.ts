import { createHash } from 'node:crypto'
import {
  hashedBrowserBytes,
  signedBrowserBytes,
  signedBrowserModeBytes,
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
  browserPublicKey,
  browserSignKey,
  createBrowserEntry,
  createBrowserRemoval,
  createRecoveryPair,
  openSeed,
  sealSeed,
  signBrowserMode,
  signBrowserSession,
  verifyBrowserEntry,
  verifyBrowserRemoval,
  verifyBrowserSignature,
  verifyRecoveryPair,
} from '../../src/keys/browserEntry.ts'
import { fromBase64url, newId, randomBytes, toBase64url } from '../../src/index.ts'
import { createRecoveryKey, deriveRecovery, deriveRecoverySeed } from '../../src/keys/recoveryKey.ts'
import { openSealed, sealTo } from '../../src/primitives/hpke.ts'
import { publicKeyOf, sign, verify } from '../../src/primitives/signatures.ts'
import { createPerson, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const [ada, ben] = [await createPerson(), await createPerson()]
const browserId = newId(now)
const [kemSeed, signSeed] = [randomBytes(32), randomBytes(32)]
const own = { identity: ada.identity, userId: ada.userId, browserId, signSeed, createdAt: now }
const first = await createBrowserEntry({ ...own, kemSeed })
const second = await createBrowserEntry({ ...own, kemSeed: randomBytes(32), previous: first })

const bytesOf = (entry: BrowserEntry) =>
  encode('browser', [
    idBytes(entry.userId),
    fromBase64url(ada.identityKey),
    idBytes(entry.browserId),
    integerBytes(entry.n, 4),
    fromBase64url(entry.kemKey),
    fromBase64url(entry.signKey),
    integerBytes(entry.createdAt, 8),
    fromBase64url(entry.previousHash),
  ])

describe('the entry of a browser', () => {
  test('is signed over the documented bytes', async () => {
    await verify(ada.identityKey, fromBase64url(first.signature), bytesOf(first))
    await verify(await publicKeyOf(signSeed), fromBase64url(first.browserSignature), bytesOf(first))
    expect(first).toMatchObject({ n: 1, previousHash: toBase64url(new Uint8Array(32)) })
    expect(first.kemKey).toBe(await browserPublicKey(kemSeed))
  })

  test('names the hash of the one before it', async () => {
    const hashed = encode('browser-hash', [bytesOf(first), fromBase64url(first.signature)])
    expect(second).toMatchObject({ n: 2, previousHash: createHash('sha256').update(hashed).digest('base64url') })
    await verifyBrowserEntry(ada.identityKey, second, first)
  })

  test('is refused behind any other entry', async () => {
    const other = await createBrowserEntry({ ...own, browserId: newId(now), kemSeed })
    const twin = await createBrowserEntry({ ...own, kemSeed: randomBytes(32) })
    const signedByAnother = createBrowserEntry({ ...own, kemSeed, signSeed: randomBytes(32), previous: first })
    expect(await refusal(signedByAnother)).toBe('WRONG_BINDING')
    for (const previous of [other, twin, second])
      expect(await refusal(verifyBrowserEntry(ada.identityKey, second, previous))).toBe('WRONG_BINDING')
  })

  test('is refused of another identity', async () => {
    expect(await refusal(verifyBrowserEntry(ben.identityKey, first))).toBe('BAD_SIGNATURE')
    expect(await refusal(verifyBrowserEntry(ada.identityKey, { ...first, userId: ben.userId }))).toBe('BAD_SIGNATURE')
  })

  test('goes on after the identity was replaced', async () => {
    const next = { ...own, identity: ben.identity, kemSeed, previous: first, previousIdentityKey: ada.identityKey }
    const entry = await createBrowserEntry(next)
    await verifyBrowserEntry(ben.identityKey, entry, first, ada.identityKey)
    expect(await refusal(verifyBrowserEntry(ben.identityKey, entry, first))).toBe('WRONG_BINDING')
  })

  test('is refused with any number or date turned, and with number 0', async () => {
    for (const altered of [{ n: 2 }, { createdAt: now + 1 }, { previousHash: second.previousHash }, { n: 0 }])
      expect(await refusal(verifyBrowserEntry(ada.identityKey, { ...first, ...altered }))).toMatch(/BAD_S|MALF/)
  })

  test('is refused with any bit of its key turned', async () => {
    const open = (kemKey: Uint8Array) => verifyBrowserEntry(ada.identityKey, { ...first, kemKey: toBase64url(kemKey) })
    expect(await unnoticedFlips(fromBase64url(first.kemKey), open, 7)).toEqual([])
  })

  test('with a first number names no entry before it, and with a later one does', async () => {
    const wrong = { ...first, previousHash: second.previousHash }
    const signature = toBase64url(await sign(ada.identity.sign, bytesOf(wrong)))
    expect(await refusal(verifyBrowserEntry(ada.identityKey, { ...wrong, signature }))).toBe('WRONG_BINDING')
  })
})

describe('the signature of an entry by its browser', () => {
  const check = (change: Partial<BrowserEntry>) => verifyBrowserSignature(ada.identityKey, { ...first, ...change })

  test('is by the key that the entry names, which stays the same', async () => {
    await check({})
    await verifyBrowserSignature(ada.identityKey, second)
    expect([first.signKey, second.signKey]).toEqual(Array(2).fill(await browserSignKey(signSeed)))
  })

  test('is refused of another key, entry or identity', async () => {
    const other = await createBrowserEntry({ ...own, kemSeed, signSeed: randomBytes(32) })
    const { browserSignature, signKey } = other
    for (const wrong of [{ browserSignature }, { signKey }, { browserSignature: second.browserSignature }, { n: 2 }])
      expect(await refusal(check(wrong))).toBe('BAD_SIGNATURE')
    expect(await refusal(verifyBrowserSignature(ben.identityKey, first))).toBe('BAD_SIGNATURE')
    expect(await refusal(check({ browserSignature: first.signature }))).toBe('BAD_SIGNATURE')
  })

  test('is refused with any bit turned, of it or of the key, and of another length', async () => {
    const withSignature = (bytes: Uint8Array) => check({ browserSignature: toBase64url(bytes) })
    const withKey = (bytes: Uint8Array) => check({ signKey: toBase64url(bytes) })
    expect(await unnoticedFlips(fromBase64url(first.browserSignature), withSignature, 3)).toEqual([])
    expect(await unnoticedFlips(fromBase64url(first.signKey), withKey, 3)).toEqual([])
    for (const bytes of [randomBytes(63), new Uint8Array(0)])
      expect(await refusal(withSignature(bytes))).toBe('MALFORMED')
    expect(await refusal(withKey(randomBytes(31)))).toBe('MALFORMED')
  })

  test('names no other key than the identity has signed', async () => {
    const { signKey } = await createBrowserEntry({ ...own, kemSeed, signSeed: randomBytes(32) })
    expect(await refusal(verifyBrowserEntry(ada.identityKey, { ...first, signKey }))).toBe('BAD_SIGNATURE')
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

describe('a seed sealed to a browser', () => {
  const seed = randomBytes(32)
  const binding = { userId: ada.userId, n: 7, browserId }

  test('has 1,168 bytes and opens with the pair of that browser', async () => {
    const sealed = await sealSeed(first.kemKey, binding, seed)
    expect(fromBase64url(sealed)).toHaveLength(1168)
    expect(await openSeed(kemSeed, binding, sealed)).toEqual(seed)
  })

  test('is bound to user, epoch and browser as documented', async () => {
    const info = encode('epoch-seed', [idBytes(ada.userId), integerBytes(7, 4), idBytes(browserId)])
    const sealed = toBase64url(await sealTo(fromBase64url(first.kemKey), info, seed))
    expect(await openSeed(kemSeed, binding, sealed)).toEqual(seed)
    expect(await openSealed(kemSeed, info, fromBase64url(await sealSeed(first.kemKey, binding, seed)))).toEqual(seed)
  })

  test('does not open for another user, epoch, browser or pair', async () => {
    const sealed = await sealSeed(first.kemKey, binding, seed)
    for (const other of [{ userId: ben.userId }, { n: 8 }, { browserId: newId(now) }])
      expect(await refusal(openSeed(kemSeed, { ...binding, ...other }, sealed))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(openSeed(randomBytes(32), binding, sealed))).toBe('AUTHENTICATION_FAILED')
  })

  test('does not open with any bit turned, or another length', async () => {
    const sealed = fromBase64url(await sealSeed(first.kemKey, binding, seed))
    const open = (bytes: Uint8Array) => openSeed(kemSeed, binding, toBase64url(bytes))
    expect(await unnoticedFlips(sealed, open, 97)).toEqual([])
    for (const bytes of [sealed.slice(1), new Uint8Array(0), new Uint8Array(1169)])
      expect(await refusal(open(bytes))).toBe('MALFORMED')
  })

  test('is 32 bytes, sealed to a key of 1,216', async () => {
    expect(await refusal(sealSeed(first.kemKey, binding, randomBytes(31)))).toBe('MALFORMED')
    expect(await refusal(sealSeed(toBase64url(randomBytes(32)), binding, seed))).toBe('MALFORMED')
  })
})

describe('the pair of the recovery key', () => {
  const { text } = createRecoveryKey()

  test('is derived from the key under a label of its own', async () => {
    const other = createRecoveryKey().text
    expect(await deriveRecoverySeed(text.toLowerCase())).toEqual(await deriveRecoverySeed(text))
    expect(await deriveRecoverySeed(other)).not.toEqual(await deriveRecoverySeed(text))
    expect(toBase64url(await deriveRecoverySeed(text))).not.toBe((await deriveRecovery(text)).proof)
    expect(await refusal(deriveRecoverySeed('A'))).toBe('MALFORMED')
  })

  test('is signed over the documented bytes, and refused for another user, key or identity', async () => {
    const pair = await createRecoveryPair(ada.identity, ada.userId, await deriveRecoverySeed(text))
    const fields = [idBytes(ada.userId), fromBase64url(ada.identityKey), fromBase64url(pair.kemKey)]
    await verify(ada.identityKey, fromBase64url(pair.signature), encode('recovery-browser', fields))
    await verifyRecoveryPair(ada.identityKey, ada.userId, pair)
    const other = { ...pair, kemKey: first.kemKey }
    expect(await refusal(verifyRecoveryPair(ada.identityKey, ada.userId, other))).toBe('BAD_SIGNATURE')
    expect(await refusal(verifyRecoveryPair(ada.identityKey, ben.userId, pair))).toBe('BAD_SIGNATURE')
    expect(await refusal(verifyRecoveryPair(ben.identityKey, ada.userId, pair))).toBe('BAD_SIGNATURE')
  })

  test('opens a seed that is bound to the user in the place of a browser', async () => {
    const recoverySeed = await deriveRecoverySeed(text)
    const { kemKey } = await createRecoveryPair(ada.identity, ada.userId, recoverySeed)
    const [binding, seed] = [{ userId: ada.userId, n: 7, browserId: ada.userId }, randomBytes(32)]
    expect(await openSeed(recoverySeed, binding, await sealSeed(kemKey, binding, seed))).toEqual(seed)
  })
})

describe('the server', () => {
  const { userId, identityKey, identity } = ada
  const verifies = (signature: string, bytes: Uint8Array) =>
    verify(identityKey, fromBase64url(signature), Uint8Array.from(bytes))

  test('builds the bytes of an entry, and of the hash that the next one names, as browsers do', async () => {
    await verifies(second.signature, signedBrowserBytes(identityKey, second, fromBase64url))
    const hashed = hashedBrowserBytes(identityKey, first, fromBase64url)
    expect(createHash('sha256').update(hashed).digest('base64url')).toBe(second.previousHash)
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
