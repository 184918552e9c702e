import { limits } from '@privity/contract/limits'
import { untilIdle } from '../server/pendingQueries.ts'
import { createTestServer, type Member } from '../server/testServer.ts'
import { createPushService } from '../services/pushService.ts'
import { createTalk } from './conversation.ts'
import { type PushBrowser, subscribe } from './pushes.ts'

/** A server whose pushes go to a service on this machine. */
export async function createPushScene() {
  const service = await createPushService()
  const server = await createTestServer({
    env: { PUBLIC_URL: 'https://chat.example.org', SUPPORT_EMAIL: 'support@example.org' },
    options: { pushNetwork: service.network },
  })

  /** Advances the clock, and waits for what the server does in the background after its timers ran. */
  async function advance(milliseconds: number): Promise<void> {
    await server.advance(milliseconds)
    await untilIdle(server.url)
    await server.core.db.write(async () => {})
    await server.app.settled()
  }

  return {
    server,
    service,
    advance,
    /** Lets the collected messages be queued, and then the longest delay pass. */
    async advancePastDelay() {
      await advance(1_000)
      await advance(limits.pushDelay + 1_000)
    },
    /** A member of a conversation who has push notifications, and the contact, who sends. */
    async createSubscribed() {
      const { anna, ben, connection, send } = await createTalk(server)
      return { ben, connection, send: () => send(anna), browser: await subscribe(ben) }
    },
    rowOf: ({ user }: Member) =>
      server.core.db.read.get<{ due_at: number | null; failures: number; quiet_until: number }>(
        'select due_at, failures, quiet_until from push_subscriptions where user_id = ?',
        [user.id],
      ),
    receivedBy: ({ subscription }: PushBrowser) =>
      service.received.filter(({ path }) => subscription.endpoint.endsWith(path)),
    /** Forgets what the service received; it accepts again. */
    reset() {
      service.answerWith(201)
      service.received.length = 0
    },
    async close() {
      await server.close()
      await service[Symbol.asyncDispose]()
    },
  }
}
