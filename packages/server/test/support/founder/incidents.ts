import { securityEvents } from '@privity/contract/securityEvents'
import { session } from '@privity/contract/session'
import type { Member, TestServer } from '../server/testServer.ts'

/** Fails sign-ins with wrong passwords from this address. */
export async function failSignIn(server: TestServer, username: string, address: string, times = 1): Promise<void> {
  for (let attempt = 0; attempt < times; attempt++)
    await server.visitor(address).refused(session.login, { body: { username, password: 'a guess' } })
}

/** Reports a stopped screenshot from the member's browser; `over` overrides fields. */
export const report = (member: Member, over: object = {}) =>
  member.call(securityEvents.report, {
    body: {
      eventType: 'screenshot_attempt',
      eventDescription: 'PrintScreen was pressed',
      pageUrl: '/',
      severity: 'high',
      sessionId: 'unknown',
      ...over,
    },
  })
