import { describe, expect, test } from 'vitest'
import { createEpoch, createIdentity, importIdentity, randomBytes, toBase64url, verifyEpoch } from '../../src/index.ts'
import { readIdentity, writeIdentity } from '../../src/keys/identityRecord.ts'
import { createPerson, nextEpoch } from '../support/people.ts'
import { refusal } from '../support/refusals.ts'

const refused = (run: () => unknown) => refusal((async () => run())())
const key = () => toBase64url(randomBytes(32))
const seed = randomBytes(32)

describe('what is sealed of an identity', () => {
  test('is the bare seed, as it always was, where nothing was replaced', () => {
    expect(writeIdentity(seed, [])).toEqual(seed)
    expect(readIdentity(seed)).toEqual({ seed, former: [] })
  })

  test('names the identities before it, newest first, up to 100', () => {
    const former = Array.from({ length: 101 }, (_, at) => ({ publicKey: key(), lastEpoch: 200 - at }))
    expect(readIdentity(writeIdentity(seed, former.slice(0, 2)))).toEqual({ seed, former: former.slice(0, 2) })
    expect(readIdentity(writeIdentity(seed, former)).former).toEqual(former.slice(0, 100))
  })

  test('is refused in any other form', async () => {
    const [newer, older] = [
      { publicKey: key(), lastEpoch: 7 },
      { publicKey: key(), lastEpoch: 3 },
    ]
    const good = writeIdentity(seed, [newer, older])
    expect(await refused(() => readIdentity(writeIdentity(seed, [older, newer])))).toBe('MALFORMED')
    expect(await refused(() => readIdentity(writeIdentity(seed, [newer, newer])))).toBe('MALFORMED')
    for (let length = 0; length < good.length; length++) {
      if (length === 32) continue
      expect(await refused(() => readIdentity(good.slice(0, length))), `${length} bytes`).toBe('MALFORMED')
    }
    expect(await refused(() => writeIdentity(randomBytes(31), []))).toBe('MALFORMED')
    expect(await refused(() => writeIdentity(seed, [{ publicKey: 'x', lastEpoch: 1 }]))).toBe('MALFORMED')
  })
})

describe('the first epoch of a new identity', () => {
  test('follows the last of the one before, and nothing else', async () => {
    const person = await createPerson()
    const { epoch: last } = await nextEpoch(person, person.epoch)
    const { seed: newSeed } = await createIdentity()
    const identity = await importIdentity(newSeed)
    const next = {
      identity,
      userId: person.userId,
      n: 3,
      createdAt: last.createdAt,
      startsAt: last.endsAt,
      previous: last,
    }
    const { epoch } = await createEpoch({ ...next, previousIdentityKey: person.identityKey })
    await verifyEpoch(identity.publicKey, epoch, last, person.identityKey)
    await verifyEpoch(identity.publicKey, epoch)
    expect(await refusal(verifyEpoch(identity.publicKey, epoch, last))).toBe('WRONG_BINDING')
    expect(await refusal(verifyEpoch(person.identityKey, epoch, last))).toBe('BAD_SIGNATURE')
    const other = await createPerson()
    expect(await refusal(verifyEpoch(identity.publicKey, epoch, last, other.identityKey))).toBe('WRONG_BINDING')
    const twin = await nextEpoch(person, person.epoch)
    expect(await refusal(verifyEpoch(identity.publicKey, epoch, twin.epoch, person.identityKey))).toBe('WRONG_BINDING')
  })
})
