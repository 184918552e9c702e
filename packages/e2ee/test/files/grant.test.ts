import { describe, expect, test } from 'vitest'
import {
  createFileKey,
  fromBase64url,
  hashFileKey,
  newId,
  openForOwner,
  openNameForOwner,
  randomBytes,
  sealForOwner,
  sealNameForOwner,
  toBase64url,
} from '../../src/index.ts'
import { createGrant, type Grant, openGrant } from '../../src/files/grant.ts'
import { utf8 } from '../support/hex.ts'
import { createPerson, nextEpoch, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const [ada, ben, eve] = [await createPerson(), await createPerson(), await createPerson()]
const fileKey = createFileKey()
const keyHash = await hashFileKey(fileKey)
const filePath = '/objects/01930000-0000-7000-8000-00000000000a'
const grant = await createGrant({ identity: ada.identity, fileKey, filePath, from: ada.userId, to: ben })

const me = { ...ben, epoch: 1 }
const given = { grant, filePath, from: ada, me, keyHash }
const openWith = (changes: Partial<typeof given>) => refusal(openGrant({ ...given, ...changes }))

describe('a grant', () => {
  test('gives the requester the file key', async () => {
    expect(await openGrant(given)).toEqual(fileKey)
    expect(grant.epochTo).toBe(1)
    expect(fromBase64url(grant.sealedKey).length).toBe(1168)
  })

  test('is bound to the file, both people and the epoch', async () => {
    expect(await openWith({ filePath: `${filePath.slice(0, -1)}b` })).toBe('BAD_SIGNATURE')
    expect(await openWith({ from: eve })).toBe('BAD_SIGNATURE')
    expect(await openWith({ from: { ...ada, userId: eve.userId } })).toBe('BAD_SIGNATURE')
    expect(await openWith({ from: { ...ada, identityKey: eve.identityKey } })).toBe('BAD_SIGNATURE')
    expect(await openWith({ me: { ...eve, epoch: 1 } })).toBe('BAD_SIGNATURE')
    expect(await openWith({ me: { ...me, userId: eve.userId } })).toBe('BAD_SIGNATURE')
    expect(await openWith({ me: { ...me, identityKey: eve.identityKey } })).toBe('BAD_SIGNATURE')
    expect(await openWith({ me: { ...me, epoch: 2 } })).toBe('WRONG_BINDING')
    expect(await openWith({ grant: { ...grant, epochTo: 2 }, me: { ...me, epoch: 2 } })).toBe('BAD_SIGNATURE')
    expect(await openWith({ me: { ...me, seed: eve.seed } })).toBe('AUTHENTICATION_FAILED')
  })

  test('of another key than the file message tells of is refused', async () => {
    expect(await openWith({ keyHash: await hashFileKey(createFileKey()) })).toBe('HASH_MISMATCH')
    const swapped = await createGrant({
      identity: ada.identity,
      fileKey: createFileKey(),
      filePath,
      from: ada.userId,
      to: ben,
    })
    expect(await openWith({ grant: swapped })).toBe('HASH_MISMATCH')
  })

  test('refuses every flipped bit', { timeout: 60_000 }, async () => {
    for (const field of ['sealedKey', 'signature'] as const satisfies (keyof Grant)[]) {
      const open = (bytes: Uint8Array) => openGrant({ ...given, grant: { ...grant, [field]: toBase64url(bytes) } })
      expect(await unnoticedFlips(fromBase64url(grant[field]), open), field).toEqual([])
    }
  })

  test('is made only for an epoch that its owner signed', async () => {
    const make = (to: Parameters<typeof createGrant>[0]['to'], key = fileKey) =>
      refusal(createGrant({ identity: ada.identity, fileKey: key, filePath, from: ada.userId, to }))
    expect(await make({ ...ben, epoch: eve.epoch })).toBe('WRONG_BINDING')
    expect(await make({ ...ben, epoch: { ...ben.epoch, publicKey: eve.epoch.publicKey } })).toBe('BAD_SIGNATURE')
    expect(await make(ben, randomBytes(31))).toBe('MALFORMED')
  })
})

describe('what the owner seals for themselves', () => {
  const seal = {
    seed: ada.seed,
    userId: ada.userId,
    epoch: 1,
    connectionId: newId(now),
    recipientId: ben.userId,
    fileId: newId(now),
    purpose: 'file-name',
  } as const

  test('opens with the epoch’s seed and the same binding', async () => {
    expect(await openForOwner(seal, await sealForOwner(seal, utf8('Plan.pdf')))).toEqual(utf8('Plan.pdf'))
  })

  test('does not open for another epoch, user, connection, recipient, file or purpose', async () => {
    const sealed = await sealForOwner(seal, utf8('Plan.pdf'))
    const next = await nextEpoch(ada, ada.epoch)
    const others = [
      { seed: next.seed },
      { userId: ben.userId },
      { epoch: 2 },
      { connectionId: newId(now) },
      { recipientId: eve.userId },
      { fileId: newId(now) },
      { purpose: 'file-key' as const },
    ]
    for (const other of others) {
      expect(await refusal(openForOwner({ ...seal, ...other }, sealed))).toBe('AUTHENTICATION_FAILED')
    }
  })

  test('refuses every flipped bit', { timeout: 30_000 }, async () => {
    const sealed = await sealForOwner(seal, fileKey)
    const open = (bytes: Uint8Array) => openForOwner(seal, toBase64url(bytes))
    expect(await unnoticedFlips(fromBase64url(sealed), open)).toEqual([])
  })
})

describe('a file’s name', () => {
  const seal = {
    seed: ada.seed,
    userId: ada.userId,
    epoch: 1,
    connectionId: newId(now),
    recipientId: ben.userId,
    fileId: newId(now),
  }
  const named = { ...seal, purpose: 'file-name' } as const
  const longest = '\uFFFD'.repeat(255)

  test('opens as it was, from empty to the longest', async () => {
    for (const name of ['', 'a', 'Plan.pdf', 'Pläne für Zoë 🏠.pdf', longest])
      expect(await openNameForOwner(seal, await sealNameForOwner(seal, name))).toBe(name)
  })

  test('has one sealed size, whatever its length', async () => {
    const sizes = await Promise.all(
      ['', 'a.txt', longest].map(async (name) => (await sealNameForOwner(seal, name)).length),
    )
    expect(new Set(sizes).size).toBe(1)
  })

  test('that is too long, or ends in half a character, is refused', async () => {
    expect(await refusal(sealNameForOwner(seal, `${longest}aa`))).toBe('TOO_LONG')
    expect(await refusal(sealNameForOwner(seal, '\uD83C'))).toBe('MALFORMED')
  })

  test('is refused with another padding', async () => {
    const padded = new Uint8Array(768)
    padded.set([0, 1, 97])
    expect(await openNameForOwner(seal, await sealForOwner(named, padded))).toBe('a')
    const long = padded.slice()
    long.set([0x02, 0xff])
    const stained = padded.with(767, 1)
    for (const other of [long, stained, padded.slice(1), new Uint8Array([...padded, 0]), utf8('a')])
      expect(await refusal(openNameForOwner(seal, await sealForOwner(named, other)))).toBe('MALFORMED')
  })
})
