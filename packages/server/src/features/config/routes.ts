import type { FastifyInstance } from 'fastify'
import { config } from '@privity/contract/config'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/implement.ts'
import { checkHealth, describeDeployment } from './config.ts'

export function mountConfig(app: FastifyInstance, core: Core): void {
  implement(app, core, config, {
    get: async () => describeDeployment(core),
    health: () => checkHealth(core),
  })
}
