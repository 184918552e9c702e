import { signedPinListBytes } from '@privity/contract/signedBytes'
import { expect, test } from 'vitest'
import { fromBase64url, randomBytes, toBase64url } from '../../src/index.ts'
import { signPinList } from '../../src/keys/pinListSignature.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { verify } from '../../src/primitives/signatures.ts'
import { createPerson } from '../support/people.ts'
import { refusal } from '../support/refusals.ts'

const { identity, userId } = await createPerson()
const list = { userId, version: 7, sealed: toBase64url(randomBytes(100)) }
const signature = fromBase64url(await signPinList(identity, list))

function verifies(change: Partial<typeof list>): Promise<void> {
  const { sealed, ...signed } = { ...list, ...change }
  const hash = sha256(fromBase64url(sealed))
  return verify(
    identity.publicKey,
    signature,
    signedPinListBytes(identity.publicKey, { ...signed, hash }, fromBase64url) as Uint8Array<ArrayBuffer>,
  )
}

test('the signature of a pin list covers the bytes that the server checks', async () => {
  await verifies({})
})

test.each([
  ['another version', { version: 8 }],
  ['another list', { sealed: toBase64url(randomBytes(100)) }],
  ['another user', { userId: (await createPerson()).userId }],
])('it does not cover %s', async (_what, change) => {
  expect(await refusal(verifies(change))).toBe('BAD_SIGNATURE')
})
