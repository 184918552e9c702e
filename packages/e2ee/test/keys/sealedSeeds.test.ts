import { describe, expect, test } from 'vitest'
import { integerBytes } from '../../src/encoding/bytes.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import {
  browserPublicKey,
  createRecoveryPair,
  openSeed,
  sealSeed,
  verifyRecoveryPair,
} from '../../src/keys/browserEntry.ts'
import { fromBase64url, newId, randomBytes, toBase64url } from '../../src/index.ts'
import { createRecoveryKey, deriveRecovery, deriveRecoverySeed } from '../../src/keys/recoveryKey.ts'
import { openSealed, sealTo } from '../../src/primitives/hpke.ts'
import { verify } from '../../src/primitives/signatures.ts'
import { createPerson, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const [ada, ben] = [await createPerson(), await createPerson()]
const browserId = newId(now)
const kemSeed = randomBytes(32)
const first = { kemKey: await browserPublicKey(kemSeed) }

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
