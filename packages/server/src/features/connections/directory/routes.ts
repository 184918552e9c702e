import type { FastifyInstance } from 'fastify'
import { directory } from '@privity/contract/directory'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import {
  acceptConnectionRequest,
  blockRequester,
  declineConnectionRequest,
  listRequests,
  requestConnection,
  withdrawConnectionRequest,
} from './requests.ts'
import { searchDirectory } from './search.ts'

export function mountDirectory(app: FastifyInstance, core: Core): void {
  implement(app, core, directory, {
    search: ({ caller, query }) => searchDirectory(core, caller.userId, query.name),
    requests: ({ caller }) => listRequests(core, caller.userId),
    request: ({ caller, body }) => requestConnection(core, caller, body.userId),
    accept: ({ caller, params }) => acceptConnectionRequest(core, caller, params.id),
    async decline({ caller, params }) {
      await declineConnectionRequest(core, caller, params.id)
      return {}
    },
    block: ({ caller, params }) => blockRequester(core, caller, params.id),
    async withdraw({ caller, params }) {
      await withdrawConnectionRequest(core, caller, params.id)
      return {}
    },
  })
}
