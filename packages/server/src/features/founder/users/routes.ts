import type { FastifyInstance } from 'fastify'
import { founderUsers } from '@privity/contract/founder/users'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { getUsers, removeUser, setSuspended } from './users.ts'

export function mountFounderUsers(app: FastifyInstance, core: Core): void {
  implement(app, core, founderUsers, {
    list: ({ query }) => getUsers(core, query),
    suspend: ({ founder, params }) => setSuspended(core, founder, params.id, true),
    unsuspend: ({ founder, params }) => setSuspended(core, founder, params.id, false),
    async remove({ founder, params }) {
      await removeUser(core, founder, params.id)
      return {}
    },
  })
}
