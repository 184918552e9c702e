import type { FastifyInstance } from 'fastify'
import { notifications } from '@privity/contract/notifications'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { reportKeyChange } from './keyChanges.ts'
import { clearNotifications, listNotifications, markRead, removeNotification } from './notificationList.ts'

export function mountNotifications(app: FastifyInstance, core: Core): void {
  implement(app, core, notifications, {
    list: ({ caller, query }) => listNotifications(core, caller, query),
    markRead: ({ caller, body }) => markRead(core, caller, body.ids),
    clear: ({ caller, query }) => clearNotifications(core, caller, query.newest),
    async remove({ caller, params }) {
      await removeNotification(core, caller, params.id)
      return {}
    },
    async reportKeyChange({ caller, body }) {
      await reportKeyChange(core, caller, body)
      return {}
    },
  })
}
