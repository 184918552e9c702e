import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { incidents } from '@privity/contract/founder/incidents'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { acknowledge, findAcknowledged, withdraw } from './acknowledgements.ts'
import { toDashboard, toIncidents } from './incidents.ts'
import { createMonitor } from './monitor.ts'
import type { OpenIncident } from './openIncident.ts'
import { listRelated } from './relatedEvents.ts'

export function mountIncidents(app: FastifyInstance, core: Core): void {
  const monitor = createMonitor(core)
  app.addHook('onReady', async () => monitor.start())

  async function findOpen(id: string): Promise<OpenIncident> {
    const incident = await monitor.find(id)
    if (incident === undefined) throw new AppError('INCIDENT_OVER')
    return incident
  }

  implement(app, core, incidents, {
    async list() {
      const open = await monitor.list()
      return toIncidents(core, open, await findAcknowledged(core, open))
    },
    async dashboard() {
      const open = await monitor.list()
      return toDashboard(open, await findAcknowledged(core, open))
    },
    acknowledge: async ({ founder, body }) => acknowledge(core, founder, await findOpen(body.incident), body.note),
    async withdraw({ founder, query }) {
      await withdraw(core, founder, await findOpen(query.incident))
      return {}
    },
    related: async ({ query }) => listRelated(core.db.read, await findOpen(query.incident), query),
  })
}
