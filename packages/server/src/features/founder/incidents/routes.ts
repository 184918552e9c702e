import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { incidents } from '@privity/contract/founder/incidents'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/implement.ts'
import { toDashboard, toIncidents } from './incidents.ts'
import { createMonitor } from './monitor.ts'
import { listRelated } from './related.ts'

export function mountIncidents(app: FastifyInstance, core: Core): void {
  const monitor = createMonitor(core)
  app.addHook('onReady', async () => monitor.start())
  implement(app, core, incidents, {
    list: async () => toIncidents(core, await monitor.list()),
    dashboard: async () => toDashboard(await monitor.list()),
    async related({ query }) {
      const incident = await monitor.find(query.incident)
      if (incident === undefined) throw new AppError('INCIDENT_OVER')
      return listRelated(core.db.read, incident, query)
    },
  })
}
