import { founderSessions } from '@privity/contract/founder/session'
import type { AuditCase } from './auditTable.ts'
import { founderLogin, signInFounder } from './harnessFounder.ts'

/** Every changing call of the founder's session, by `METHOD path`. */
export const founderCases: Record<string, AuditCase> = {
  'POST /api/founder/login': {
    action: 'founder_signed_in',
    async prepare(server) {
      const browser = server.visitor()
      const right = await founderLogin(server, browser)
      return {
        fail: () => browser.refused(founderSessions.login, { body: { ...right.body, password: 'wrong' } }),
        succeed: () => browser.call(founderSessions.login, right),
      }
    },
  },
  'POST /api/founder/logout': {
    action: 'founder_signed_out',
    async prepare(server) {
      const founder = await signInFounder(server)
      return { succeed: () => founder.call(founderSessions.logout, {}) }
    },
  },
  'DELETE /api/founder/sessions/:id': {
    action: 'founder_session_ended',
    async prepare(server) {
      const founder = await signInFounder(server)
      const [own] = await founder.call(founderSessions.listSessions, {})
      const nobody = '01890000-0000-7000-8000-000000000000'
      return {
        fail: () => founder.refused(founderSessions.endSession, { params: { id: nobody } }),
        succeed: () => founder.call(founderSessions.endSession, { params: { id: own?.id as string } }),
      }
    },
  },
}
