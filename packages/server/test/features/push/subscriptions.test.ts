import { organizationPolicy } from '@privity/contract/organization'
import { push } from '@privity/contract/push'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTalk } from '../../support/scenes/conversation.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'
import { makeSubscription, subscribe } from '../../support/scenes/pushes.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const stateOf = (member: Member) => member.call(push.get, {})
const rowsOf = ({ user }: Member) =>
  server.core.db.read.all<Record<string, unknown>>('select * from push_subscriptions where user_id = ?', [user.id])

async function signInAgain(member: Member): Promise<void> {
  await member.call(session.login, { body: { username: member.user.username, password: member.password } })
}

test('is off until a member switches it on in a browser, and off again after that', async () => {
  const member = await server.signUp()
  expect(await stateOf(member)).toMatchObject({ availability: 'available', choice: null, endpoint: null })
  const { subscription } = await subscribe(member)
  expect(await stateOf(member)).toMatchObject({ choice: 'on', endpoint: subscription.endpoint })
  await member.call(push.unsubscribe, {})
  expect(await stateOf(member)).toMatchObject({ choice: 'off', endpoint: null })
  expect(await rowsOf(member)).toEqual([])
})

test('a session has one subscription, the newest', async () => {
  const member = await server.signUp()
  await subscribe(member)
  const { subscription } = await subscribe(member)
  expect(await rowsOf(member)).toHaveLength(1)
  expect((await stateOf(member)).endpoint).toBe(subscription.endpoint)
})

test('endpoint and keys are stored encrypted', async () => {
  const member = await server.signUp()
  const { subscription } = await subscribe(member)
  const stored = JSON.stringify(await rowsOf(member))
  for (const secret of [subscription.endpoint, subscription.p256dh, subscription.auth])
    expect(stored).not.toContain(secret)
})

test('a subscription is gone with its session; the choice stays with the browser', async () => {
  const member = await server.signUp()
  await subscribe(member)
  await member.call(session.logout, {})
  expect(await rowsOf(member)).toEqual([])
  await signInAgain(member)
  expect(await stateOf(member)).toMatchObject({ choice: 'on', endpoint: null })
})

test('another member of the same browser begins without', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  const { subscription } = await subscribe(member)
  for (const [name, value] of member.cookies) if (name.endsWith('device')) other.cookies.set(name, value)
  await signInAgain(other)
  expect(await stateOf(other)).toMatchObject({ choice: null, endpoint: null })
  // The browser has one endpoint: it is the newest session's alone.
  await other.call(push.subscribe, { body: subscription })
  expect(await rowsOf(member)).toEqual([])
})

test.each([
  ['another host', 'https://push.example.org/a'],
  ['a host below a listed one', 'https://a.fcm.googleapis.com/a'],
  ['the suffix alone', 'https://push.apple.com/a'],
  ['a host that ends alike', 'https://evilpush.apple.com/a'],
  ['another port', 'https://fcm.googleapis.com:8443/a'],
  ['a user', 'https://fcm.googleapis.com@127.0.0.1/a'],
  ['a password', 'https://a:b@fcm.googleapis.com/a'],
  ['this machine', 'https://localhost/a'],
  ['an address', 'https://10.0.0.1/a'],
  ['an IPv6 address', 'https://[::1]/a'],
])('an endpoint at %s is refused', async (_, endpoint) => {
  const member = await server.signUp()
  const body = { ...makeSubscription().subscription, endpoint }
  expect(await member.refused(push.subscribe, { body })).toMatchObject({ body: { code: 'PUSH_SERVICE_REFUSED' } })
})

test.each(['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com', 'wns2.notify.windows.com'])(
  'an endpoint at %s is accepted',
  async (host) => {
    const member = await server.signUp()
    await subscribe(member, host)
    expect(await rowsOf(member)).toHaveLength(1)
  },
)

test.each([
  ['http', { endpoint: 'http://fcm.googleapis.com/a' }],
  ['no address', { endpoint: 'fcm.googleapis.com' }],
  ['a long endpoint', { endpoint: `https://fcm.googleapis.com/${'a'.repeat(1024)}` }],
  ['no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['a short secret', { auth: 'AAAA' }],
])('a subscription with %s is no input', async (_, part) => {
  const member = await server.signUp()
  const body = { ...makeSubscription().subscription, ...part }
  expect(await member.refused(push.subscribe, { body })).toMatchObject({ body: { code: 'INVALID_INPUT' } })
})

test('an organization that forbids it ends the subscriptions of its members, and of nobody else', async () => {
  const organizationId = await createOrganization(server, 'Chambers')
  const [admin, member] = [
    await join(server, 'org_admin', { organizationId }),
    await join(server, 'user', { organizationId }),
  ]
  const stranger = await server.signUp()
  for (const each of [member, stranger]) await subscribe(each)
  await admin.call(organizationPolicy.update, { body: { pushForbidden: true } })
  expect(await rowsOf(member)).toEqual([])
  expect(await rowsOf(stranger)).toHaveLength(1)
  expect((await stateOf(member)).availability).toBe('forbidden')
  const { subscription: body } = makeSubscription()
  expect(await member.refused(push.subscribe, { body })).toMatchObject({ body: { code: 'PUSH_FORBIDDEN' } })
})

test('a server that sends to no host has none', async () => {
  await using silent = await createTestServer({ env: { PUSH_HOSTS: 'none' } })
  const member = await silent.signUp()
  expect((await stateOf(member)).availability).toBe('unavailable')
  const { subscription: body } = makeSubscription()
  expect(await member.refused(push.subscribe, { body })).toMatchObject({ body: { code: 'PUSH_SERVICE_REFUSED' } })
})

test('is offered once a message has expired unread, until the member has chosen', async () => {
  const { anna, ben, send } = await createTalk(server)
  await send(anna)
  expect((await stateOf(ben)).isOffered).toBe(false)
  await server.advance(23 * 60 * 60_000)
  await signInAgain(ben)
  await server.advance(60 * 60_000)
  expect((await stateOf(ben)).isOffered).toBe(true)
  await signInAgain(anna)
  expect((await stateOf(anna)).isOffered).toBe(false)
  await ben.call(push.unsubscribe, {})
  expect(await stateOf(ben)).toMatchObject({ choice: 'off', isOffered: false })
})

test('the key is made at the first start, and is the same after a restart', async () => {
  const member = await server.signUp()
  const { publicKey } = await stateOf(member)
  await server.restart()
  expect((await stateOf(member)).publicKey).toBe(publicKey)
})
