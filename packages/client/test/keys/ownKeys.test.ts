import type { OwnKeys } from '@privity/contract/keys'
import { createEpoch, createIdentity, importIdentity, newId } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { verifyOwnKeys } from '../../src/keys/ownKeys.ts'

const now = Date.UTC(2030, 0, 1)

/** Epochs of a chain of three, picked by these numbers, as the server may list them. */
async function createKeys(numbers: readonly number[]) {
  const userId = newId(now)
  const identity = await importIdentity((await createIdentity()).seed)
  const base = { identity, userId, createdAt: now, startsAt: now }
  const { epoch: first } = await createEpoch({ ...base, n: 1 })
  const { epoch: second } = await createEpoch({ ...base, n: 2, previous: first })
  const { epoch: third } = await createEpoch({ ...base, n: 3, previous: second })
  const epochs = numbers.map((n) => [first, second, third][n - 1])
  const browsers = { mode: { onlyApproved: false, n: 0 } }
  const keys = { userId, identityKey: identity.publicKey, epochs, browsers } as unknown as OwnKeys
  return { own: { identity, former: [] }, keys }
}

test('own epochs whose numbers rise are accepted, also where some are missing', async () => {
  const { own, keys } = await createKeys([1, 3])
  await expect(verifyOwnKeys(own, undefined, keys)).resolves.toBeUndefined()
})

test.each([[[3, 1]], [[3, 3]]])('own epochs in the order %j are refused', async (numbers) => {
  const { own, keys } = await createKeys(numbers)
  await expect(verifyOwnKeys(own, undefined, keys)).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
})

test('an own epoch that does not follow the one before it is refused', async () => {
  const { own, keys } = await createKeys([1])
  const base = { identity: own.identity, userId: keys.userId, startsAt: now }
  const { epoch: other } = await createEpoch({ ...base, createdAt: now + 1, n: 1 })
  const { epoch: second } = await createEpoch({ ...base, createdAt: now + 1, n: 2, previous: other })
  const epochs = [...keys.epochs, second] as OwnKeys['epochs']
  await expect(verifyOwnKeys(own, undefined, { ...keys, epochs })).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
})

test('own epochs of another user are refused', async () => {
  const { own, keys } = await createKeys([1])
  const others = { ...keys, userId: newId(now + 1) }
  await expect(verifyOwnKeys(own, undefined, others)).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
})

test('another identity key than the own one is refused', async () => {
  const { own, keys } = await createKeys([1])
  const { identityKey } = (await createKeys([1])).keys
  const altered = verifyOwnKeys(own, undefined, { ...keys, identityKey })
  await expect(altered).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
})

test('an identity is refused that has not taken the place of the one seen before', async () => {
  const { own, keys } = await createKeys([1])
  const { identityKey } = (await createKeys([1])).keys
  const seen = { identityKey, epoch: 1 }
  await expect(verifyOwnKeys(own, seen, keys)).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  const replaced = { ...own, former: [{ publicKey: identityKey, lastEpoch: 0 }] }
  await expect(verifyOwnKeys(replaced, seen, keys)).resolves.toBeUndefined()
})
