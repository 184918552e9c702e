import { notifications } from '@privity/contract/notifications'
import { privacy } from '@privity/contract/privacy'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'

const day = 24 * 60 * 60 * 1000

test('failed sign-ins are told although the last sign-in was dated by a clock that was ahead', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { username } = member.user
  const signIn = (from = member) => from.call(session.login, { body: { username, password: member.password } })
  server.clock.ahead = 20 * day
  await signIn()
  const { failedSignIns } = await member.call(privacy.securityFacts, {})
  await member.call(privacy.settleFailures, { body: { until: server.clock.now() } })
  expect(failedSignIns.count).toBe(0)
  server.clock.ahead = 0
  server.clock.advance(1000)
  for (let at = 0; at < 3; at++)
    await server.visitor().refused(session.login, { body: { username, password: 'wrong' } })
  server.clock.advance(1000)
  await signIn()
  const { notifications: told } = await member.call(notifications.list, { query: {} })
  expect(told.find((each) => each.kind === 'signed_in' && each.current)).toMatchObject({ failures: 3 })
  expect((await member.call(privacy.securityFacts, {})).failedSignIns.count).toBe(3)
})
