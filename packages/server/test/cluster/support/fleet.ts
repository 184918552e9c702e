import { createFakeClock, type FakeClock } from '../../support/server/fakeClock.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { createMailServer, type MailServer } from '../../support/services/mailServer.ts'
import { at, sharedEnv } from './cluster.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

/** Servers that share a database, a Valkey, a mail server and one fake clock. */
export interface Fleet {
  readonly servers: readonly [TestServer, TestServer, TestServer]
  readonly mail: MailServer
  readonly clock: FakeClock
  /** Signs the founder in; the callers share this one session, one per server. */
  founders(): Promise<readonly Caller[]>
  /** The same member's browser, calling this server. */
  through(member: Member, n: number): Member
  /** Advances the clock and waits until the due jobs have finished in all servers. */
  advance(milliseconds: number): Promise<void>
  close(): Promise<void>
}

const support = 'support@example.com'
export const metricsToken = 'a-token-for-the-scraper-0123456789abcdef'

/** Unlike the processes of cluster.ts, these servers cannot be killed, but need no real time. */
export async function startFleet(): Promise<Fleet> {
  const [postgres, redis, mail] = [
    await startPostgres({ durable: false }),
    await startRedis({ password: 'of the fleet' }),
    await createMailServer(),
  ]
  const clock = createFakeClock()
  const env = {
    ...sharedEnv(postgres.url, redis.url),
    SMTP_URL: mail.url,
    MAIL_FROM: 'privity@example.org',
    SUPPORT_EMAIL: support,
    METRICS_TOKEN: metricsToken,
  }
  const many = { requests: 100_000, window: 1000 }
  const options = { rateLimits: { signUp: many, signIn: many, other: many } }
  const start = () => createTestServer({ env, options, clock })
  const servers = [await start(), await start(), await start()] as const
  return {
    servers,
    mail,
    clock,
    async founders() {
      const founder = await signInFounder(servers[0])
      return servers.map((server) => at(founder, () => server.url))
    },
    through: (member, n) => at(member, () => servers[n % servers.length]?.url ?? ''),
    async advance(milliseconds) {
      clock.advance(milliseconds)
      await Promise.all(servers.map(({ app }) => app.settled()))
    },
    async close() {
      for (const server of servers) await server.close()
      await mail.close()
      await redis.stop()
      await postgres.stop()
    },
  }
}
