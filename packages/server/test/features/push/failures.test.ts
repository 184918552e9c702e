import { limits } from '@privity/contract/limits'
import { push } from '@privity/contract/push'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createPushScene } from '../../support/scenes/pushScene.ts'

vi.setConfig({ testTimeout: 30_000 })

let scene: Awaited<ReturnType<typeof createPushScene>>
beforeAll(async () => {
  scene = await createPushScene()
})
afterAll(() => scene.close())
afterEach(() => scene.reset())

const [second, minute] = [1_000, 60_000]

test.each([404, 410])('a service that answers %i ends the subscription; the choice stays', async (status) => {
  const { service, advancePastDelay, createSubscribed, rowOf } = scene
  const { ben, send } = await createSubscribed()
  service.answerWith(status)
  await send()
  await advancePastDelay()
  expect(await rowOf(ben)).toBeUndefined()
  expect(await ben.call(push.get, {})).toMatchObject({ choice: 'on', endpoint: null })
})

test('500 is tried again later and later, then not until the next message', async () => {
  const { service, advance, advancePastDelay, createSubscribed, rowOf, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  service.answerWith(500)
  await send()
  await advancePastDelay()
  for (const [attempts, delay] of [30, 120, 600, 3600, 14_400].entries()) {
    expect(receivedBy(browser)).toHaveLength(attempts + 1)
    expect((await rowOf(ben))?.failures).toBe(attempts + 1)
    await advance(delay * second - 5 * second)
    expect(receivedBy(browser)).toHaveLength(attempts + 1)
    await advance(6 * second)
  }
  expect(receivedBy(browser)).toHaveLength(6)
  expect(await rowOf(ben)).toMatchObject({ due_at: null, failures: 0 })
})

test.each(['600', new Date(Date.UTC(2099, 0)).toUTCString()])('429 is heeded: %s', async (retryAfter) => {
  const { service, advance, advancePastDelay, createSubscribed, rowOf, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  service.answerWith(429, { 'retry-after': retryAfter })
  await send()
  await advancePastDelay()
  await advance(500 * second)
  expect(receivedBy(browser)).toHaveLength(1)
  service.answerWith(201)
  await advance(120 * second)
  // A date after the message's end: nothing is left to announce.
  expect(receivedBy(browser)).toHaveLength(retryAfter === '600' ? 2 : 1)
  expect((await rowOf(ben))?.due_at).toBeNull()
})

test.each([400, 403, 301])('%i is not tried again, and the subscription stays', async (status) => {
  const { service, advance, advancePastDelay, createSubscribed, rowOf, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  service.answerWith(status, { location: 'https://127.0.0.1/' })
  await send()
  await advancePastDelay()
  await advance(10 * minute)
  expect(receivedBy(browser)).toHaveLength(1)
  expect(await rowOf(ben)).toMatchObject({ due_at: null, failures: 0 })
})

test('a service that never responds is given up after 10 seconds, and tried again', async () => {
  const { server, service, advance, createSubscribed, rowOf, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  service.answerWith('nothing')
  await send()
  await advance(second)
  server.clock.advance(limits.pushDelay + second)
  await vi.waitUntil(() => receivedBy(browser).length === 1)
  server.clock.advance(10 * second)
  await server.app.settled()
  expect((await rowOf(ben))?.failures).toBe(1)
})

test('no push outlives its message', async () => {
  const { server, advance, advancePastDelay, createSubscribed, rowOf, receivedBy } = scene
  const { ben, send, browser } = await createSubscribed()
  await send()
  await advance(second)
  await server.core.db.write((tx) =>
    tx.run('update push_subscriptions set expires_at = ? where user_id = ?', [server.clock.now(), ben.user.id]),
  )
  await advancePastDelay()
  expect(receivedBy(browser)).toEqual([])
  expect((await rowOf(ben))?.due_at).toBeNull()
})

test('a push that waits leaves after a restart', async () => {
  const { server, advance, createSubscribed, receivedBy } = scene
  const { send, browser } = await createSubscribed()
  await send()
  await server.restart()
  await advance(limits.pushDelay + second)
  expect(receivedBy(browser)).toHaveLength(1)
})

test('one browser of two that fails does not hold up the other', async () => {
  const { service, advancePastDelay, createSubscribed, receivedBy } = scene
  const [one, other] = [await createSubscribed(), await createSubscribed()]
  service.answerWith(503)
  await one.send()
  await advancePastDelay()
  service.answerWith(201)
  await other.send()
  await advancePastDelay()
  expect(receivedBy(other.browser)).toHaveLength(1)
})

test('sending a message waits for no push service', async () => {
  const { server, service, advance, createSubscribed, rowOf } = scene
  const { ben, send } = await createSubscribed()
  service.answerWith('nothing')
  await send()
  await advance(second)
  server.clock.advance(limits.pushDelay + second)
  await vi.waitUntil(() => service.received.length > 0)
  expect(await send()).toMatchObject({ seq: 2 })
  expect(await rowOf(ben)).toMatchObject({ failures: 0 })
  server.clock.advance(10 * second)
  await server.app.settled()
})
