import { limits } from '@privity/contract/limits'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTalk } from '../../support/scenes/conversation.ts'
import { subscribe } from '../../support/scenes/pushes.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { createPushService, type PushService } from '../../support/services/pushService.ts'
import { secret } from '../support/cluster.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

const clock = createFakeClock()
let postgres: PostgresServer
let service: PushService
let servers: TestServer[] = []
beforeAll(async () => {
  postgres = await startPostgres({ durable: false })
  service = await createPushService()
  // Without Valkey: processes hear of each other only through the database.
  const env = { DATABASE_URL: postgres.url, SERVER_SECRET: secret, FOUNDER_PASSWORD: 'the password of the founder' }
  const start = () => createTestServer({ env, clock, options: { pushNetwork: service.network } })
  servers = [await start(), await start(), await start()]
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await service[Symbol.asyncDispose]()
  await postgres.stop()
})
afterEach(() => void (service.received.length = 0))

const server = (n: number) => servers[n] as TestServer

/** Advances in steps of the jobs, so that each process looks as often as in real time. */
async function advance(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 2_000) {
    clock.advance(2_000)
    await Promise.all(servers.map(({ app }) => app.settled()))
  }
}

const waiting = () =>
  server(0).core.db.read.all<{ due_at: number }>('select due_at from push_subscriptions where due_at is not null')

test.each([0, 1, 2])('a message that process %i stored leads to one push', async (n) => {
  const { anna, ben, send } = await createTalk(server(n))
  await subscribe(ben)
  await send(anna)
  clock.advance(1_000)
  await vi.waitUntil(async () => (await waiting()).length === 1, { timeout: 20_000 })
  await advance(limits.pushDelay + 4_000)
  expect(service.received).toHaveLength(1)
  expect(await waiting()).toEqual([])
})

test.each([0, 1, 2])('a page that is visible at process %i stops the push of a message at another', async (n) => {
  const { anna, ben, send } = await createTalk(server((n + 1) % 3))
  await subscribe(ben)
  const socket = await connectSocket(server(n).url, ben, ben.user.id)
  socket.send({ type: 'visibility', isVisible: true })
  await socket.settled()
  await send(anna)
  clock.advance(1_000)
  await vi.waitUntil(async () => (await waiting()).length === 1, { timeout: 20_000 })
  await socket.settled()
  await advance(limits.pushDelay + 4_000)
  expect(service.received).toEqual([])
  expect(await waiting()).toEqual([])
  socket.close()
})
