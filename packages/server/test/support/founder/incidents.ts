import { securityEvents } from '@privity/contract/securityEvents'
import { session } from '@privity/contract/session'
import type { Member, TestServer } from '../server/testServer.ts'

/** Somebody at this address types wrong passwords. */
export async function failSignIn(server: TestServer, username: string, address: string, times = 1): Promise<void> {
  for (let attempt = 0; attempt < times; attempt++)
    await server.visitor(address).refused(session.login, { body: { username, password: 'a guess' } })
}

/** A deterrent in the member's browser stops a screenshot, or what `over` says. */
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
