import { describe, expect, test } from 'vitest'
import {
  createEpoch,
  type EpochKey,
  fromBase64url,
  newId,
  randomBytes,
  toBase64url,
  verifyEpoch,
} from '../../src/index.ts'
import { createPerson, nextEpoch, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const person = await createPerson()
const { identityKey, epoch: first } = person
const { epoch: second, seed: secondSeed } = await nextEpoch(person, first)
const { epoch: third } = await nextEpoch(person, second)

describe('epochs', () => {
  test('are signed by the identity and linked to the one before', async () => {
    expect(first).toMatchObject({ userId: person.userId, n: 1, createdAt: now })
    expect(first.previousHash).toBe(toBase64url(new Uint8Array(32)))
    expect(second.n).toBe(2)
    expect(secondSeed).not.toEqual(person.seed)
    await verifyEpoch(identityKey, first)
    await verifyEpoch(identityKey, second)
    await verifyEpoch(identityKey, second, first)
    await verifyEpoch(identityKey, third, second)
  })

  test('of another identity are refused', async () => {
    const other = await createPerson()
    expect(await refusal(verifyEpoch(other.identityKey, first))).toBe('BAD_SIGNATURE')
  })

  test('that do not follow the one before are refused', async () => {
    const twin = await nextEpoch(person, first)
    expect(await refusal(verifyEpoch(identityKey, third, twin.epoch))).toBe('WRONG_BINDING')
    expect(await refusal(verifyEpoch(identityKey, third, first))).toBe('WRONG_BINDING')
    expect(await refusal(verifyEpoch(identityKey, second, third))).toBe('WRONG_BINDING')
    expect(await refusal(verifyEpoch(identityKey, first, first))).toBe('WRONG_BINDING')
    const stranger = await createPerson()
    expect(await refusal(verifyEpoch(identityKey, second, stranger.epoch))).toBe('WRONG_BINDING')
  })

  test('cannot be made out of order', async () => {
    const { identity, userId } = person
    const make = (options: Partial<Parameters<typeof createEpoch>[0]>) =>
      refusal(createEpoch({ identity, userId, n: 2, createdAt: now + 1, previous: first, ...options }))
    expect(await make({ n: 3 })).toBe('WRONG_BINDING')
    expect(await make({ n: 1 })).toBe('WRONG_BINDING')
    expect(await make({ previous: undefined })).toBe('WRONG_BINDING')
    expect(await make({ userId: newId(now) })).toBe('WRONG_BINDING')
    expect(await make({ n: 0, previous: undefined })).toBe('MALFORMED')
    expect(await make({ createdAt: 0.5 })).toBe('MALFORMED')
    expect(await make({ userId: 'ada' })).toBe('MALFORMED')
  })

  test('follow by number and hash alone, also one that was dated by a clock that was ahead', async () => {
    const options = { identity: person.identity, userId: person.userId, n: 2, createdAt: now - 1, previous: first }
    const { epoch } = await createEpoch(options)
    await verifyEpoch(identityKey, epoch, first)
  })

  test('refuse any other value in any place', async () => {
    const others: Partial<EpochKey>[] = [
      { userId: newId(now) },
      { n: 3 },
      { createdAt: second.createdAt + 1 },
      { previousHash: toBase64url(randomBytes(32)) },
      { publicKey: first.publicKey },
      { signature: first.signature },
    ]
    for (const other of others) {
      expect(await refusal(verifyEpoch(identityKey, { ...second, ...other })), JSON.stringify(other)).toBe(
        'BAD_SIGNATURE',
      )
    }
    const malformed: Partial<EpochKey>[] = [
      { userId: second.userId.toUpperCase() },
      { n: 0 },
      { n: 2 ** 32 },
      { createdAt: -1 },
      { previousHash: toBase64url(randomBytes(31)) },
      { publicKey: `${second.publicKey}AA` },
      { publicKey: `${second.publicKey.slice(0, -1)}=` },
      { signature: '' },
    ]
    for (const other of malformed) {
      expect(await refusal(verifyEpoch(identityKey, { ...second, ...other })), JSON.stringify(other)).toBe('MALFORMED')
    }
  })

  test('refuse every flipped bit', { timeout: 60_000 }, async () => {
    for (const field of ['publicKey', 'previousHash', 'signature'] as const) {
      const open = (altered: Uint8Array) => verifyEpoch(identityKey, { ...second, [field]: toBase64url(altered) })
      expect(await unnoticedFlips(fromBase64url(second[field]), open), field).toEqual([])
    }
  })
})
