import { account } from '@privity/contract/account'
import { keys } from '@privity/contract/keys'
import { recovery } from '@privity/contract/recovery'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { makeRecoveryPair, random, wrapped } from '../../support/server/memberKeys.ts'
import { replaceKeys } from '../../support/scenes/keyReplacement.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('a wrap of a replaced account key is refused, and what opens the account stays', async () => {
  const member = await server.signUp()
  const { username } = member.user
  const identityKey = member.keys?.identityKey as string
  const stale = { newPassword: 'a newer one', wrappedAccountKey: wrapped(), identityKey }
  const { recoveryProof } = await replaceKeys(member)
  const { password } = member
  const before = await member.call(keys.getOwn, { query: {} })
  const renewal = {
    recoveryProof: random(32),
    recovery: makeRecoveryPair(member.user.id),
    recoveryWrappedAccountKey: wrapped(),
    identityKey,
  }
  const same = { ...stale, currentPassword: password }
  for (const refusal of [
    await member.refused(account.changePassword, { body: same }),
    await member.refused(account.renewRecoveryKey, { body: { ...renewal, password } }),
  ])
    expect(refusal).toMatchObject({ status: 409, body: { code: 'STALE_VERSION' } })
  expect(await member.call(keys.getOwn, { query: {} })).toEqual(before)
  await server.visitor().call(recovery.start, { body: { username, recoveryProof } })
  const unnamed = { currentPassword: password, newPassword: 'x', wrappedAccountKey: wrapped() }
  const refusal = await member.refused(account.changePassword, { body: unnamed })
  expect(refusal).toMatchObject({ status: 400, body: { details: [{ path: 'identityKey' }] } })
  await member.call(account.renewRecoveryKey, { body: { ...renewal, password, identityKey: before.identityKey } })
})
