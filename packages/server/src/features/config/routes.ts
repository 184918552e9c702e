import type { FastifyInstance } from 'fastify'
import { config } from '@privity/contract/config'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { version } from '../../core/config/config.ts'
import { watchHealth } from '../health/health.ts'
import { describeDeployment, publicHealth } from './config.ts'

export function mountConfig(app: FastifyInstance, core: Core): void {
  watchHealth(core)
  implement(app, core, config, {
    get: async () => describeDeployment(core),
    async health({ reply }) {
      const health = await publicHealth(core)
      // Load balancers read only the status code. A failed database gives no 503: it fails every process alike.
      if (health.status === 'draining') reply.code(config.health.otherStatus.status)
      return health
    },
    alive: async () => ({ version }),
  })
}
