import type { FastifyInstance } from 'fastify'
import { support } from '@privity/contract/support'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { createRequest, listRequests } from './support.ts'

export function mountSupport(app: FastifyInstance, core: Core): void {
  implement(app, core, support, {
    list: ({ caller }) => listRequests(core, caller.userId),
    create: ({ caller, body }) => createRequest(core, caller, body),
  })
}
