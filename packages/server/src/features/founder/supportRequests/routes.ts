import type { FastifyInstance } from 'fastify'
import { founderSupportRequests } from '@privity/contract/founder/supportRequests'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { getRequest, listRequests, setRequestState } from './supportRequests.ts'

export function mountFounderSupportRequests(app: FastifyInstance, core: Core): void {
  implement(app, core, founderSupportRequests, {
    list: ({ query }) => listRequests(core, query),
    get: ({ founder, params }) => getRequest(core, founder, params.id),
    setState: ({ founder, params, body }) => setRequestState(core, founder, params.id, body),
  })
}
