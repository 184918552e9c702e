import { keys } from '@privity/contract/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { other: { requests: 20, window: 60_000 } } } })
})
afterAll(() => server.close())

/** A member whose pin list has this size, and who has called nothing within the minute. */
async function withPins(bytes: number): Promise<Member> {
  const member = await server.signUp()
  await server.core.db.write((tx) => tx.run('update users set pins = ? where id = ?', [random(bytes), member.user.id]))
  server.clock.advance(60_000)
  return member
}

test.each(['/api/keys/pins', '/api/keys'])('GET %s counts as four calls for a pin list of 350 KB', async (path) => {
  const member = await withPins(262_000)
  const statuses: number[] = []
  for (let call = 0; call < 6; call++) statuses.push((await member.request('GET', path)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('a call for an ordinary pin list counts as one', async () => {
  const member = await withPins(1_000)
  for (let call = 0; call < 20; call++) await member.call(keys.getPins, {})
  expect(await member.refused(keys.getPins, {})).toMatchObject({ status: 429 })
})
