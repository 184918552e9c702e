import { sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { signedNextIdentityBytes } from '@privity/contract/signedBytes'
import { createIdentity, importIdentity, newId } from '../../src/index.ts'
import { type FormerKey, isConfirmedByFormer, signNextIdentity } from '../../src/keys/nextIdentity.ts'
import { now } from '../support/people.ts'

const userId = newId(now)
const seeds = await Promise.all([1, 2, 3, 4].map(() => createIdentity()))
const [first, second, third, other] = await Promise.all(seeds.map(({ seed }) => importIdentity(seed)))
const keyOf = (identity: typeof first) => (identity as NonNullable<typeof first>).publicKey
const current = { userId, identityKey: keyOf(third) }

async function replaced(former: typeof first, next: typeof first, of = userId): Promise<FormerKey> {
  const identity = former as NonNullable<typeof first>
  const signature = await signNextIdentity(identity, { userId: of, identityKey: keyOf(next) })
  return { identityKey: identity.publicKey, signature }
}

const chain = [await replaced(second, third), await replaced(first, second)]

test('the signature of the next identity covers the bytes that the server checks', async () => {
  const decode = (text: string) => Buffer.from(text, 'base64url')
  const bytes = signedNextIdentityBytes({ userId, former: keyOf(second), next: keyOf(third) }, decode)
  const label = Buffer.from('privity/next-identity')
  expect(Buffer.from(bytes).subarray(0, label.length + 2)).toEqual(
    Buffer.concat([Buffer.from([label.length]), label, Buffer.from([1])]),
  )
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seeds[1]?.seed as Uint8Array])
  const signature = sign(null, bytes, { key: pkcs8, format: 'der', type: 'pkcs8' }).toString('base64url')
  expect(chain[0]?.signature).toBe(signature)
})

test('a key is confirmed by the one before it and by those before that', async () => {
  expect(await isConfirmedByFormer(keyOf(second), current, chain)).toBe(true)
  expect(await isConfirmedByFormer(keyOf(first), current, chain)).toBe(true)
})

test('a key is not confirmed by one that is not in the chain', async () => {
  expect(await isConfirmedByFormer(keyOf(other), current, chain)).toBe(false)
  expect(await isConfirmedByFormer(keyOf(first), current, [])).toBe(false)
  expect(await isConfirmedByFormer(keyOf(first), current, chain.slice(0, 1))).toBe(false)
})

test.each([
  ['another key that names the accepted one', [{ ...(await replaced(other, third)), identityKey: keyOf(second) }]],
  ['another next key', [await replaced(second, other)]],
  ['another user', [await replaced(second, third, newId(now + 1))]],
  ['a broken chain', [await replaced(other, third), ...chain.slice(1)]],
  ['a signature of another form', [{ identityKey: keyOf(second), signature: 'A' }]],
  ['a key of another form', [{ identityKey: 'A', signature: chain[0]?.signature as string }, ...chain]],
])('%s confirms nothing', async (_what, former) => {
  expect(await isConfirmedByFormer(keyOf(second), current, former)).toBe(false)
  expect(await isConfirmedByFormer(keyOf(first), current, former)).toBe(false)
})
