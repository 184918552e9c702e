import type { FastifyInstance } from 'fastify'
import { alerts } from '@privity/contract/founder/alerts'
import type { Core } from '../../../core/core.ts'
import { founderOf } from '../../../core/http/guards.ts'
import { implement } from '../../../core/http/implement.ts'
import { listAlerts, sendTestAlert } from './alerts.ts'
import { configuredServices } from './channels.ts'
import { createDelivery } from './delivery.ts'
import { subscribeAlerts } from './subscriptions.ts'
import { saveSettings, readSettings } from './settings.ts'

export function mountAlerts(app: FastifyInstance, core: Core): void {
  const delivery = createDelivery(core, core.alertEndpoints)
  const unsubscribe = subscribeAlerts(core, delivery)
  // Runs before the server waits for calls under way: one of them may be a test that waits for a service.
  app.addHook('preClose', async () => {
    unsubscribe()
    await delivery.stop()
  })
  const carriers = configuredServices(core)
  implement(app, core, alerts, {
    getSettings: async () => ({ ...(await readSettings(core.db.read)), carriers }),
    putSettings: async ({ request, body }) => ({ ...(await saveSettings(core, founderOf(request), body)), carriers }),
    test: ({ request, body }) => sendTestAlert(core, delivery, founderOf(request), body.alertType),
    list: ({ query }) => listAlerts(core, query.limit),
  })
}
