import { generateKeyPairSync } from 'node:crypto'
import { account } from '@privity/contract/account'
import { keys } from '@privity/contract/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeRecoveryPair, signRecoveryPair } from '../../support/server/memberKeys.ts'
import { renewing, replacing } from '../../support/scenes/keyReplacement.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const unsigned = { status: 400, body: { code: 'INVALID_INPUT', details: [{ path: 'recovery' }] } }
const own = (member: Member) => member.call(keys.getOwn, { query: {} })

/** A pair that a stranger has signed in the name of this identity. */
function foreignPair({ user, keys: made }: Member) {
  const { privateKey } = generateKeyPairSync('ed25519')
  return signRecoveryPair(user.id, { identityKey: made?.identityKey as string, key: privateKey })
}

test('a renewed recovery key is refused with a pair that the identity key did not sign', async () => {
  const member = await server.signUp()
  const before = await own(member)
  const body = { ...renewing(member), recovery: foreignPair(member) }
  expect(await member.refused(account.renewRecoveryKey, { body })).toMatchObject(unsigned)
  expect(await own(member)).toEqual(before)
})

test('new keys are refused with a recovery pair that the former identity key signed', async () => {
  const member = await server.signUp()
  const before = await own(member)
  const body = await replacing(member, () => ({ recovery: makeRecoveryPair(member.user.id) }))
  expect(await member.refused(account.changePassword, { body })).toMatchObject(unsigned)
  expect(await own(member)).toEqual(before)
})
