import { incidents } from '@privity/contract/founder/incidents'
import type { AuditCase } from './account.ts'
import type { TestServer } from '../server/testServer.ts'
import { signInFounder } from '../founder/founder.ts'
import { failSignIn } from '../founder/incidents.ts'

async function scene(server: TestServer) {
  const [founder, { user }] = [await signInFounder(server), await server.signUp()]
  await failSignIn(server, user.username, '203.0.113.1', 5)
  const note = 'a note about this incident'
  return { founder, body: { incident: `brute_force_attack:account:${user.id}`, note } }
}

const over = { incident: 'brute_force_attack:account:nobody' }

/** Every state-changing call of the security incidents, by `METHOD path`. */
export const founderIncidentCases: Record<string, AuditCase> = {
  'PUT /api/founder/incident-acknowledgement': {
    action: 'incident_acknowledged',
    async prepare(server) {
      const { founder, body } = await scene(server)
      return {
        fail: () => founder.refused(incidents.acknowledge, { body: over }),
        succeed: () => founder.call(incidents.acknowledge, { body }),
      }
    },
  },
  'DELETE /api/founder/incident-acknowledgement': {
    action: 'incident_acknowledgement_withdrawn',
    async prepare(server) {
      const { founder, body } = await scene(server)
      await founder.call(incidents.acknowledge, { body })
      return {
        fail: () => founder.refused(incidents.withdraw, { query: over }),
        succeed: () => founder.call(incidents.withdraw, { query: { incident: body.incident } }),
      }
    },
  },
}
