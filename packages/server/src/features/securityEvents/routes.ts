import type { FastifyInstance } from 'fastify'
import { securityEvents } from '@privity/contract/securityEvents'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { reportEvents } from './securityEvents.ts'

export function mountSecurityEvents(app: FastifyInstance, core: Core): void {
  implement(app, core, securityEvents, {
    async report({ caller, body }) {
      await reportEvents(core, caller, [body])
      return {}
    },
    async reportMany({ caller, body }) {
      await reportEvents(core, caller, body.events)
      return {}
    },
  })
}
