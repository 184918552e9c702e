import { push } from '@privity/contract/push'
import type { AuditCase } from './account.ts'
import { makeSubscription, subscribe } from '../scenes/pushes.ts'

/** Every call that changes push notifications, by `METHOD path`. */
export const pushCases: Record<string, AuditCase> = {
  'PUT /api/push/subscription': {
    action: 'push_switched_on',
    async prepare(server) {
      const member = await server.signUp()
      return {
        fail: () => member.refused(push.subscribe, { body: makeSubscription('push.example.org').subscription }),
        succeed: () => subscribe(member),
      }
    },
  },
  'DELETE /api/push/subscription': {
    action: 'push_switched_off',
    async prepare(server) {
      const [member, other] = [await server.signUp(), await server.signUp()]
      await subscribe(member)
      await other.call(push.unsubscribe, {})
      return {
        // Off already: nothing changes.
        fail: () => other.call(push.unsubscribe, {}),
        succeed: () => member.call(push.unsubscribe, {}),
      }
    },
  },
}
