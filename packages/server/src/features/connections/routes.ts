import type { FastifyInstance } from 'fastify'
import { connections } from '@privity/contract/connections'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { listBlocked, unblockPerson } from './blocks.ts'
import { connectByCode } from './connect.ts'
import { blockContact, getStatistics, listConnections, removeConnection } from './connections.ts'
import { blockFormerContact, removeFormerContact, listFormerContacts } from './formerContacts.ts'
import { setLifetime } from './lifetime.ts'
import { notifyPresenceChanges } from './presence.ts'

export function mountConnections(app: FastifyInstance, core: Core): void {
  implement(app, core, connections, {
    list: ({ caller }) => listConnections(core, caller.userId),
    create: ({ caller, body }) => connectByCode(core, caller, body.connectionCode),
    setLifetime: ({ caller, params, body }) => setLifetime(core, caller, params.id, body.lifetime),
    async remove({ caller, params }) {
      await removeConnection(core, caller, params.id)
      return {}
    },
    statistics: ({ caller }) => getStatistics(core, caller.userId),
    block: ({ caller, params }) => blockContact(core, caller, params.id),
    listBlocked: ({ caller }) => listBlocked(core, caller.userId),
    async unblock({ caller, params }) {
      await unblockPerson(core, caller, params.id)
      return {}
    },
    listFormer: ({ caller }) => listFormerContacts(core, caller.userId),
    blockFormer: ({ caller, params }) => blockFormerContact(core, caller, params.id),
    async forgetFormer({ caller, params }) {
      await removeFormerContact(core, caller, params.id)
      return {}
    },
  })
  notifyPresenceChanges(core)
}
