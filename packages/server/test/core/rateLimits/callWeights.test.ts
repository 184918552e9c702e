import { keys } from '@privity/contract/keys'
import { rateLimits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { makePins } from '../../support/server/memberKeys.ts'

const requests = 40
let server: TestServer
let member: Member
beforeEach(async () => {
  server = await createTestServer({ options: { rateLimits: { other: { ...rateLimits.other, requests } } } })
  member = await server.signUp()
})
afterEach(() => server.close())

/** Number of these calls that succeed before one is refused. */
async function countAllowed(call: () => ReturnType<Caller['request']>): Promise<number> {
  for (let allowed = 0; ; allowed++) if ((await call()).status === 429) return allowed
}

const page = (limit: number) => member.request('GET', `${notifications.list.path}?limit=${limit}`)

test('a page of 50 rows counts as one call', async () => {
  expect(await countAllowed(() => page(50))).toBe(requests)
})

test('a page of 51 rows counts as two calls', async () => {
  expect(await countAllowed(() => page(51))).toBe(requests / 2)
})

test('a page of 200 rows counts as four calls', async () => {
  expect(await countAllowed(() => page(200))).toBe(requests / 4)
})

test('a page larger than any counts as the largest, and is refused', async () => {
  expect((await page(1e9)).status).toBe(400)
  expect(await countAllowed(() => member.request('GET', session.getUser.path))).toBe(requests - 4)
})

test('the pin list counts as the ordinary bodies that it may bring', async () => {
  let version = 1
  const put = () => member.request('PUT', keys.putPins.path, makePins(member.user.id, (version += 1)))
  expect(await countAllowed(put)).toBe(requests / 8)
})

test('the API document counts as twenty calls of its address', async () => {
  const visitor = server.visitor()
  expect(await countAllowed(() => visitor.request('GET', '/api/docs'))).toBe(requests / 20)
})
