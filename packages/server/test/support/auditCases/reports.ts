import { securityEvents } from '@privity/contract/securityEvents'
import { support } from '@privity/contract/support'
import type { AuditCase } from './account.ts'

const event = {
  eventType: 'print_attempt',
  eventDescription: 'Printing',
  pageUrl: '/',
  severity: 'medium',
  sessionId: 'unknown',
} as const

/** Every state-changing call by which members report something to the operators, by `METHOD path`. */
export const reportCases: Record<string, AuditCase> = {
  'POST /api/security-audit': {
    action: 'security_event_reported',
    async prepare(server) {
      const member = await server.signUp()
      return {
        fail: () => member.refused(securityEvents.report, { body: { ...event, severity: 'low' } }),
        succeed: () => member.call(securityEvents.report, { body: event }),
      }
    },
  },
  'POST /api/security-audit/batch': {
    action: 'security_event_reported',
    async prepare(server) {
      const member = await server.signUp()
      return {
        fail: () =>
          member.refused(securityEvents.reportMany, { body: { events: [event, { ...event, severity: 'low' }] } }),
        succeed: () => member.call(securityEvents.reportMany, { body: { events: [event] } }),
      }
    },
  },
  'POST /api/support-requests': {
    action: 'support_request_created',
    async prepare(server) {
      const member = await server.signUp()
      const body = { subject: 'Help', category: 'general', message: 'Please' } as const
      return {
        fail: () => member.refused(support.create, { body: { ...body, subject: ' ' } }),
        succeed: () => member.call(support.create, { body }),
      }
    },
  },
}
