import { account } from '@privity/contract/account'
import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'
import { replacing } from '../../support/scenes/keyReplacement.ts'

test('new keys whose first epoch begins earlier than now are refused', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const earlier = server.clock.now() - limits.clockTolerance - 1
  const refusal = await member.refused(account.changePassword, { body: await replacing(member, undefined, earlier) })
  expect(refusal).toMatchObject({ status: 400, body: { details: [{ path: 'startsAt' }] } })
})
