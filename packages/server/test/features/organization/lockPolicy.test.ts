import { limits } from '@privity/contract/limits'
import { preferenceCalls } from '@privity/contract/preferences'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'

let server: TestServer
let admin: Member
let organizationId: string
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server, 'Chambers')
  admin = await join(server, 'org_admin', { organizationId })
})

const lockAfter = (minutes: number) => admin.request('PATCH', '/api/organizations/policy', { lockAfter: minutes })

test('members learn the longest time after which their browsers lock', async () => {
  const member = await join(server, 'user', { organizationId })
  await lockAfter(15)
  expect((await member.call(preferenceCalls.get, {})).policy.lockAfter).toBe(15)
})

test('no other minutes are taken than browsers offer', async () => {
  expect(await lockAfter(10)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
})

test('a shorter time needs no confirmation', async () => {
  await lockAfter(15)
  await server.advance(limits.confirmationTime)
  expect((await lockAfter(5)).status).toBe(200)
})

test.each([60, 0])('a longer time or none needs a confirmation: %i', async (minutes) => {
  await lockAfter(15)
  await server.advance(limits.confirmationTime)
  expect(await lockAfter(minutes)).toMatchObject({ status: 403, body: { code: 'CONFIRMATION_NEEDED' } })
})
