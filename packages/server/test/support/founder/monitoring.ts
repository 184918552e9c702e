import { monitoring } from '@privity/contract/founder/monitoring'
import { createTestServer } from '../server/testServer.ts'
import { signInFounder } from './founder.ts'

/** A server with a signed-in founder. */
export async function withFounder() {
  const server = await createTestServer({ env: { FOUNDER_PASSWORD: 'the founder' } })
  const founder = await signInFounder(server)
  const stats = () => founder.call(monitoring.realtimeStats, {})
  return {
    server,
    founder,
    stats,
    /** After four hours of polls alone, the founder's session expires. */
    signInAgain: () => signInFounder(server, founder),
    [Symbol.asyncDispose]: () => server.close(),
  }
}
