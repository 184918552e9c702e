import type { FastifyInstance } from 'fastify'
import { alerts } from '@privity/contract/founder/alerts'
import type { Core } from '../../../core/core.ts'
import { founderOf } from '../../../core/http/guards.ts'
import { implement } from '../../../core/http/implement.ts'
import { listAlerts, sendTest } from './alerts.ts'
import { channelsOf } from './channels.ts'
import { createDelivery } from './delivery.ts'
import { hearBus } from './subscribe.ts'
import { saveSettings, settingsOf } from './settings.ts'

export function mountAlerts(app: FastifyInstance, core: Core): void {
  const delivery = createDelivery(core, core.alertServices)
  const unhear = hearBus(core, delivery)
  // Runs before the server waits for calls under way: one of them may be a test that waits for a service.
  app.addHook('preClose', async () => {
    unhear()
    await delivery.stop()
  })
  const carriers = channelsOf(core)
  implement(app, core, alerts, {
    getSettings: async () => ({ ...(await settingsOf(core.db.read)), carriers }),
    putSettings: async ({ request, body }) => ({ ...(await saveSettings(core, founderOf(request), body)), carriers }),
    test: ({ request, body }) => sendTest(core, delivery, founderOf(request), body.alertType),
    list: ({ query }) => listAlerts(core, query.limit),
  })
}
