import { notifications } from '@privity/contract/notifications'
import type { AuditCase } from './account.ts'
import type { TestServer } from '../server/testServer.ts'
import { createTalk } from '../scenes/conversation.ts'

/** A talk in which Ben has a notification of Anna's connection. */
async function createTold(server: TestServer) {
  const { anna, ben, connection } = await createTalk(server)
  const [notice] = (await ben.call(notifications.list, { query: {} })).notifications
  return { anna, ben, connection, notice: notice?.id ?? '' }
}

/** Every state-changing call of the notifications, by `METHOD path`. */
export const notificationCases: Record<string, AuditCase> = {
  'PUT /api/notifications/read': {
    action: 'notifications_read',
    async prepare(server) {
      const { anna, ben, notice } = await createTold(server)
      return {
        // Another member's notification cannot be marked: nothing changes.
        fail: () => anna.call(notifications.markRead, { body: { ids: [notice] } }),
        succeed: () => ben.call(notifications.markRead, { body: {} }),
      }
    },
  },
  'DELETE /api/notifications': {
    action: 'notifications_cleared',
    async prepare(server) {
      const { anna, ben } = await createTold(server)
      return {
        fail: () => anna.call(notifications.clear, { query: {} }),
        succeed: () => ben.call(notifications.clear, { query: {} }),
      }
    },
  },
  'DELETE /api/notifications/:id': {
    action: 'notification_removed',
    async prepare(server) {
      const { anna, ben, notice } = await createTold(server)
      return {
        fail: () => anna.refused(notifications.remove, { params: { id: notice } }),
        succeed: () => ben.call(notifications.remove, { params: { id: notice } }),
      }
    },
  },
  'POST /api/notifications/key-changes': {
    action: 'key_change_reported',
    async prepare(server) {
      const { anna, ben, connection } = await createTold(server)
      const report = (identityKey = '') => ({ body: { connectionId: connection.id, identityKey } })
      return {
        fail: () => anna.refused(notifications.reportKeyChange, report(anna.keys?.identityKey)),
        succeed: () => anna.call(notifications.reportKeyChange, report(ben.keys?.identityKey)),
      }
    },
  },
}
