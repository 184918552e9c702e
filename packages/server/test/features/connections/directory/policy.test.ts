import { directory } from '@privity/contract/directory'
import { limits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { preferenceCalls } from '@privity/contract/preferences'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { createOrganization, join } from '../../../support/scenes/organization.ts'
import { answer, ask, receivedBy, refusedToAsk, requestsOf } from '../../../support/scenes/directory.ts'

let server: TestServer
let admin: Member
let anna: Member
let ben: Member
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  const organizationId = await createOrganization(server, 'Chambers')
  admin = await join(server, 'org_admin', { organizationId })
  anna = await join(server, 'user', { organizationId })
  ben = await join(server, 'user', { organizationId })
})

const setDirectory = (isOn: boolean, member = admin) =>
  member.request('PATCH', '/api/organizations/policy', { directory: isOn })
const none = { received: [], sent: [] }

test('is off at first, and only administrators switch it on', async () => {
  expect((await anna.call(preferenceCalls.get, {})).policy.directory).toBe(false)
  expect((await setDirectory(true, anna)).status).toBe(403)
  expect((await setDirectory(true)).status).toBe(200)
  expect((await anna.call(preferenceCalls.get, {})).policy.directory).toBe(true)
})

test('needs a confirmation to switch on, since it shows members to one another', async () => {
  await server.advance(limits.confirmationTime)
  expect(await setDirectory(true)).toMatchObject({ status: 403, body: { code: 'CONFIRMATION_NEEDED' } })
})

test('needs no confirmation to switch off', async () => {
  await setDirectory(true)
  await server.advance(limits.confirmationTime)
  expect((await setDirectory(false)).status).toBe(200)
})

test('while it is off nobody asks, and the lists are empty', async () => {
  expect(await refusedToAsk(anna, ben)).toBe('DIRECTORY_OFF')
  expect(await requestsOf(anna)).toEqual(none)
})

test('switched off, it ends the open requests and their notifications', async () => {
  await setDirectory(true)
  await ask(anna, ben)
  const id = await receivedBy(ben)
  const socket = await ben.socket()
  await setDirectory(false)
  await socket.next('requests_changed')
  await socket.next('notifications_changed')
  expect(await answer(ben, 'accept', id)).toMatchObject({
    status: 404,
    body: { code: 'CONNECTION_REQUEST_NOT_FOUND' },
  })
  const { notifications: told } = await ben.call(notifications.list, { query: {} })
  expect(told.filter(({ kind }) => kind === 'connection_requested')).toEqual([])
})

test('switched on again, it brings no request back', async () => {
  await setDirectory(true)
  await ask(anna, ben)
  await setDirectory(false)
  await setDirectory(true)
  expect([await requestsOf(anna), await requestsOf(ben)]).toEqual([none, none])
})

test('switched off, it leaves the requests of other organizations', async () => {
  await setDirectory(true)
  const elsewhere = await createOrganization(server, 'Elsewhere')
  const [other, carl, dora] = [
    await join(server, 'org_admin', { organizationId: elsewhere }),
    await join(server, 'user', { organizationId: elsewhere }),
    await join(server, 'user', { organizationId: elsewhere }),
  ]
  await setDirectory(true, other)
  await ask(carl, dora)
  await setDirectory(false)
  expect((await requestsOf(dora)).received).toHaveLength(1)
  expect(await refusedToAsk(carl, anna)).toBe('COLLEAGUE_NOT_FOUND')
})

test('a request that a process stored while another one switched it off is not accepted', async () => {
  await setDirectory(true)
  await ask(anna, ben)
  const id = await receivedBy(ben)
  await server.core.db.write((tx) => tx.run(`update organizations set policy = '{}'`, []))
  expect(await answer(ben, 'accept', id)).toMatchObject({ status: 403, body: { code: 'DIRECTORY_OFF' } })
  expect(await ben.refused(directory.request, { body: { userId: anna.user.id } })).toMatchObject({
    body: { code: 'DIRECTORY_OFF' },
  })
})
