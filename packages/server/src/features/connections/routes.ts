import type { FastifyInstance } from 'fastify'
import { connections } from '@privity/contract/connections'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { blockPerson, listBlocked, unblockPerson } from './blocks.ts'
import { connectByCode } from './connect.ts'
import { listConnections, removeConnection } from './connections.ts'
import { blockFormer, forgetFormer, listFormer } from './formerContacts.ts'
import { tellWhoComes } from './presence.ts'
import { getStatistics } from './statistics.ts'

export function mountConnections(app: FastifyInstance, core: Core): void {
  implement(app, core, connections, {
    list: ({ caller }) => listConnections(core, caller.userId),
    create: ({ caller, body }) => connectByCode(core, caller, body.connectionCode),
    async remove({ caller, params }) {
      await removeConnection(core, caller, params.id)
      return {}
    },
    statistics: ({ caller }) => getStatistics(core, caller.userId),
    block: ({ caller, params }) => blockPerson(core, caller, params.id),
    listBlocked: ({ caller }) => listBlocked(core, caller.userId),
    async unblock({ caller, params }) {
      await unblockPerson(core, caller, params.id)
      return {}
    },
    listFormer: ({ caller }) => listFormer(core, caller.userId),
    blockFormer: ({ caller, params }) => blockFormer(core, caller, params.id),
    async forgetFormer({ caller, params }) {
      await forgetFormer(core, caller, params.id)
      return {}
    },
  })
  tellWhoComes(core)
}
