import { limits } from '@privity/contract/limits'
import { push } from '@privity/contract/push'
import { session } from '@privity/contract/session'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { prefer } from '../../support/scenes/preferences.ts'
import { createPushScene } from '../../support/scenes/pushScene.ts'
import { decryptPush, readVapid } from '../../support/services/pushService.ts'

vi.setConfig({ testTimeout: 30_000 })

let scene: Awaited<ReturnType<typeof createPushScene>>
beforeAll(async () => {
  scene = await createPushScene()
})
afterAll(() => scene.close())
afterEach(() => scene.reset())

const [second, minute] = [1_000, 60_000]

test('a message leads to a push that says nothing but that there is one', async () => {
  const { advancePastDelay, createSubscribed, receivedBy } = scene
  const { send, browser } = await createSubscribed()
  await send()
  await advancePastDelay()
  const [received, ...others] = receivedBy(browser)
  expect(others).toEqual([])
  expect(JSON.parse(decryptPush(received?.body as Buffer, browser))).toEqual({
    web_push: 8030,
    notification: { title: 'Privity', body: 'New message', navigate: 'https://chat.example.org/' },
  })
})

test('a push has the headers of RFC 8030 and the life of its message', async () => {
  const { advancePastDelay, createSubscribed, receivedBy } = scene
  const { send, browser } = await createSubscribed()
  await send()
  await advancePastDelay()
  const [received] = receivedBy(browser)
  const { ttl, urgency, topic, 'content-encoding': encoding } = received?.headers ?? {}
  expect({ urgency, topic, encoding }).toEqual({ urgency: 'high', topic: 'message', encoding: 'aes128gcm' })
  expect(Number(ttl)).toBeLessThan(limits.retention / second)
  expect(Number(ttl)).toBeGreaterThan(limits.retention / second - 60)
  expect(received?.host).toBe('fcm.googleapis.com')
})

test('a push is signed by the key that browsers subscribe with, for its service alone', async () => {
  const { server, advancePastDelay, createSubscribed, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  await send()
  await advancePastDelay()
  const { key, claims } = readVapid(receivedBy(browser)[0]?.headers.authorization)
  expect(key).toBe((await ben.call(push.get, {})).publicKey)
  expect(claims).toMatchObject({ aud: 'https://fcm.googleapis.com', sub: 'mailto:support@example.org' })
  expect(Number(claims['exp']) * second - server.clock.now()).toBeLessThanOrEqual(24 * 60 * minute)
})

test('pushes of all languages have one size', async () => {
  const { advancePastDelay, createSubscribed, receivedBy } = scene
  const [english, german] = [await createSubscribed(), await createSubscribed()]
  await prefer(german.ben, { language: 'de' })
  await english.send()
  await german.send()
  await advancePastDelay()
  const [one, other] = [receivedBy(english.browser)[0], receivedBy(german.browser)[0]]
  expect(decryptPush(other?.body as Buffer, german.browser)).toContain('Neue Nachricht')
  expect(one?.body.length).toBe(other?.body.length)
})

test('a push leaves 3 to 20 seconds after its message', async () => {
  const { server, advance, createSubscribed, rowOf } = scene
  const { ben, send } = await createSubscribed()
  const sentAt = server.clock.now()
  await send()
  await advance(second)
  const { due_at: dueAt } = (await rowOf(ben)) ?? {}
  expect(dueAt).toBeGreaterThanOrEqual(sentAt + 3 * second)
  expect(dueAt).toBeLessThanOrEqual(sentAt + limits.pushDelay)
})

test('many messages lead to one push in 15 minutes', async () => {
  const { advance, advancePastDelay, createSubscribed, receivedBy } = scene
  const { send, browser } = await createSubscribed()
  for (let i = 0; i < 3; i += 1) await send()
  await advancePastDelay()
  await send()
  await advancePastDelay()
  expect(receivedBy(browser)).toHaveLength(1)
  await advance(limits.pushInterval)
  await send()
  await advancePastDelay()
  expect(receivedBy(browser)).toHaveLength(2)
})

test('once the application was opened the next message leads to a push again', async () => {
  const { advance, advancePastDelay, createSubscribed, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  await send()
  await advancePastDelay()
  const socket = await ben.socket()
  socket.send({ type: 'visibility', isVisible: true })
  await socket.settled()
  await advance(second)
  socket.send({ type: 'visibility', isVisible: false })
  await socket.settled()
  await send()
  await advancePastDelay()
  expect(receivedBy(browser)).toHaveLength(2)
})

test('none is sent while a page that is visible has the message', async () => {
  const { advance, advancePastDelay, createSubscribed, receivedBy } = scene
  const { ben, connection, send, browser } = await createSubscribed()
  const socket = await ben.socket()
  socket.send({ type: 'visibility', isVisible: true })
  await socket.settled()
  await advance(second)
  const { seq } = await send()
  socket.send({ type: 'received', connectionId: connection.id, seq })
  await socket.settled()
  await advancePastDelay()
  expect(receivedBy(browser)).toEqual([])
  socket.close()
})

test('a page that was visible and says nothing any more does not stop a push', async () => {
  const { server, advance, createSubscribed, rowOf, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  const socket = await ben.socket()
  socket.send({ type: 'visibility', isVisible: true })
  await socket.settled()
  await advance(second)
  server.clock.advance(1)
  await send()
  // `advance` would let the socket speak.
  server.clock.advance(second)
  await vi.waitUntil(async () => (await rowOf(ben))?.due_at != null)
  server.clock.advance(limits.pushDelay + second)
  await vi.waitUntil(() => receivedBy(browser).length === 1)
  socket.close()
})

test('a hidden page does not stop a push', async () => {
  const { advancePastDelay, createSubscribed, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  const socket = await ben.socket()
  await send()
  await advancePastDelay()
  expect(receivedBy(browser)).toHaveLength(1)
  socket.close()
})

test.each([{ pushNotifications: false }, { messageNotifications: false }])(
  'none is sent to a member who prefers %o',
  async (part) => {
    const { advancePastDelay, createSubscribed, receivedBy } = scene
    const { ben, send, browser } = await createSubscribed()
    await prefer(ben, part)
    await send()
    await advancePastDelay()
    expect(receivedBy(browser)).toEqual([])
  },
)

test('a session that ends takes its waiting push with it', async () => {
  const { advance, advancePastDelay, createSubscribed, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  await send()
  await advance(second)
  await ben.call(session.logout, {})
  await advancePastDelay()
  expect(receivedBy(browser)).toEqual([])
})

test('a session past its time is not pushed to, even before it is deleted', async () => {
  const { server, advance, advancePastDelay, createSubscribed, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  await send()
  await advance(second)
  await server.core.db.write((tx) => tx.run('update sessions set idle_limit = 1 where user_id = ?', [ben.user.id]))
  await server.core.db.write(async () => {})
  await advancePastDelay()
  expect(receivedBy(browser)).toEqual([])
})

test('dates from a clock that was ahead hold back no push', async () => {
  const { server, advancePastDelay, createSubscribed, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  const ahead = server.clock.now() + 30 * 24 * 60 * minute
  await server.core.db.write((tx) =>
    tx.run('update push_subscriptions set quiet_until = ?, due_at = ? where user_id = ?', [ahead, ahead, ben.user.id]),
  )
  await send()
  await advancePastDelay()
  expect(receivedBy(browser)).toHaveLength(1)
})
