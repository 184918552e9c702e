import { hkdfSync } from 'node:crypto'
import { ml_kem768_x25519 as xwing } from '@noble/post-quantum/hybrid.js'
import { describe, expect, test } from 'vitest'
import { integerBytes, toUtf8 } from '../../src/encoding/bytes.ts'
import { decode, encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import {
  createEpoch,
  type EpochKey,
  fromBase64url,
  newId,
  randomBytes,
  sealForOwner,
  toBase64url,
  verifyEpoch,
} from '../../src/index.ts'
import { deriveEpochKey } from '../../src/keys/epochSeed.ts'
import { createPerson, nextEpoch, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const hour = 60 * 60 * 1000
const person = await createPerson()
const { identityKey, epoch: first } = person
const { epoch: second, seed: secondSeed } = await nextEpoch(person, first)
const { epoch: third } = await nextEpoch(person, second)

describe('epochs', () => {
  test('are signed by the identity and linked to the one before', async () => {
    const times = { createdAt: now, startsAt: now, endsAt: now + 8 * hour }
    expect(first).toMatchObject({ userId: person.userId, n: 1, ...times, features: 0 })
    expect([second.startsAt, second.endsAt]).toEqual([first.endsAt, first.endsAt + 8 * hour])
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
      refusal(createEpoch({ identity, userId, n: 2, createdAt: now, startsAt: now, previous: first, ...options }))
    expect(await make({ n: 3 })).toBe('WRONG_BINDING')
    expect(await make({ n: 1 })).toBe('WRONG_BINDING')
    expect(await make({ previous: undefined })).toBe('WRONG_BINDING')
    expect(await make({ userId: newId(now) })).toBe('WRONG_BINDING')
    expect(await make({ n: 0, previous: undefined })).toBe('MALFORMED')
    expect(await make({ createdAt: 0.5 })).toBe('MALFORMED')
    expect(await make({ startsAt: -1 })).toBe('MALFORMED')
    expect(await make({ userId: 'ada' })).toBe('MALFORMED')
  })

  test('follow by number and hash alone, also one that was dated by a clock that was ahead', async () => {
    const { identity, userId } = person
    const times = { createdAt: now - 1, startsAt: now - 1 }
    const { epoch } = await createEpoch({ identity, userId, n: 2, ...times, previous: first })
    await verifyEpoch(identityKey, epoch, first)
  })

  test('refuse any other value in any place', async () => {
    const others: Partial<EpochKey>[] = [
      { userId: newId(now) },
      { n: 3 },
      { createdAt: second.createdAt + 1 },
      { startsAt: second.startsAt + 1, endsAt: second.endsAt + 1 },
      { features: 1 },
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
      { startsAt: second.startsAt + 1 },
      { endsAt: second.endsAt + 1 },
      { startsAt: -1, endsAt: 8 * hour - 1 },
      { features: 2 ** 32 },
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

test("an epoch's keys are derived from its seed, each under a label of its own", async () => {
  const { seed, epoch } = person
  const hkdf = (label: string) => {
    const name = Buffer.from(`privity/${label}`)
    const info = Buffer.concat([Buffer.from([name.length]), name, Buffer.from([1])])
    return new Uint8Array(hkdfSync('sha256', seed, new Uint8Array(0), info, 32))
  }
  expect(await deriveEpochKey(seed)).toEqual(hkdf('epoch-key'))
  expect(toBase64url(new Uint8Array(xwing.getPublicKey(hkdf('epoch-key'))))).toBe(epoch.publicKey)
  const owner = { seed, userId: person.userId, epoch: 1, fileId: newId(now), purpose: 'file-key' } as const
  const seal = { ...owner, connectionId: newId(now), recipientId: newId(now) }
  const sealed = decode('sealed', fromBase64url(await sealForOwner(seal, randomBytes(32))), [12, 48])
  const key = await crypto.subtle.importKey('raw', hkdf('owner-key'), 'AES-GCM', false, ['decrypt'])
  const [iv, ciphertext] = sealed as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]
  const ids = [seal.connectionId, seal.recipientId, seal.fileId].map(idBytes)
  const additionalData = encode('owner', [idBytes(seal.userId), integerBytes(1, 4), ...ids, toUtf8('file-key')])
  const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, ciphertext)
  expect(opened.byteLength).toBe(32)
})
