import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { limits } from '@privity/contract/limits'
import { expect, test, vi } from 'vitest'
import { createTalk } from '../../support/scenes/conversation.ts'
import { makeSubscription, subscribe } from '../../support/scenes/pushes.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createPushService } from '../../support/services/pushService.ts'
import { createPushConnections, internet } from '../../../src/features/push/pushServices.ts'

vi.setConfig({ testTimeout: 120_000 })

const endpoint = 'https://fcm.googleapis.com/push/a'
const makeRequest = () => ({ headers: {}, body: Buffer.from('body') })

test.each([
  ['this machine', ['127.0.0.1']],
  ['its network', ['10.0.0.5']],
  ["a cloud's metadata", ['169.254.169.254']],
  ['IPv6 of this machine', ['::1']],
  ['a private address beside a public one', ['8.8.8.8', '192.168.0.1']],
  ['no address', []],
])('a name that leads to %s is not called', async (_, addresses) => {
  await using service = await createPushService()
  const connections = createPushConnections({
    ...service.network,
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    isPublic: internet.isPublic,
  })
  await expect(connections.post(endpoint, makeRequest, new AbortController().signal)).rejects.toThrow('not public')
  connections.close()
  expect(service.received).toEqual([])
})

test('a name is asked once for each connection: a second answer cannot lead elsewhere', async () => {
  await using service = await createPushService()
  const resolve = vi.fn(async () => [{ address: '127.0.0.1', family: 4 }])
  const connections = createPushConnections({ ...service.network, resolve })
  expect(await connections.post(endpoint, makeRequest, new AbortController().signal)).toMatchObject({ status: 201 })
  connections.close()
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(service.received).toMatchObject([{ host: 'fcm.googleapis.com', path: '/push/a' }])
})

test('a certificate of another authority is refused', async () => {
  await using service = await createPushService()
  const connections = createPushConnections({ ...service.network, tls: {} })
  await expect(connections.post(endpoint, makeRequest, new AbortController().signal)).rejects.toThrow(/certificate/)
  connections.close()
  expect(service.received).toEqual([])
})

test('10,000 dead endpoints cost no more than their rows, and hold nobody up', async () => {
  const [dead, lifetime] = [10_000, 20_000]
  await using service = await createPushService()
  let [underWay, most, calls] = [0, 0, 0]
  const resolve = async (host: string) => {
    if (host === 'fcm.googleapis.com') return service.network.resolve(host)
    calls += 1
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise(setImmediate)
    underWay -= 1
    throw new Error('nobody is there')
  }
  await using server = await createTestServer({ options: { pushNetwork: { ...service.network, resolve } } })
  const { anna, ben, send } = await createTalk(server)
  const live = await subscribe(ben)
  const now = server.clock.now()
  const { core } = server
  const encrypted = core.secrets.encryptAtRest(JSON.stringify(makeSubscription('dead.push.apple.com').subscription))
  await core.db.write(async (tx) => {
    for (let i = 0; i < dead; i += 1) {
      await tx.run(
        `insert into sessions (id, user_id, token_hash, key_share, created_at, last_used_at, address, device)
         values (?, ?, ?, '', ?, ?, '', '')`,
        [`dead-${i}`, anna.user.id, `dead-${i}`, now, now],
      )
      await tx.run(
        `insert into push_subscriptions (session_id, user_id, endpoint_hash, subscription, due_at, expires_at)
         values (?, ?, ?, ?, ?, ?)`,
        [`dead-${i}`, anna.user.id, randomBytes(8).toString('hex'), encrypted, now, now + lifetime],
      )
    }
  })
  const waiting = async () =>
    (await core.db.read.get<{ n: number }>('select count(*) as n from push_subscriptions where due_at is not null'))?.n
  await server.advance(2_000)
  expect(calls).toBe(dead)
  expect(most).toBeLessThanOrEqual(32)
  expect(await waiting()).toBe(0)
  await send(anna)
  await server.advance(1_000)
  await vi.waitUntil(async () => (await waiting()) === 1)
  await server.advance(limits.pushDelay + 1_000)
  expect(service.received.map(({ path }) => path)).toEqual([new URL(live.subscription.endpoint).pathname])
  await server.advance(lifetime)
  expect(calls).toBe(dead)
})
