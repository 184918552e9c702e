import type { FastifyInstance } from 'fastify'
import { keys } from '@privity/contract/keys'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { publishEpochs } from './epochs.ts'
import { getContactKeys, getOwnKeys, getPins, listContactKeys, listIdentities, putPins } from './keys.ts'

export function mountKeys(app: FastifyInstance, core: Core): void {
  implement(app, core, keys, {
    getOwn: ({ caller }) => getOwnKeys(core, caller.userId),
    publishEpochs: ({ caller, body }) => publishEpochs(core, caller, body.epochs),
    listIdentities: ({ caller }) => listIdentities(core, caller.userId),
    listContactKeys: ({ caller, query }) => listContactKeys(core, caller, query.connections),
    getContactKeys: ({ caller, params }) => getContactKeys(core, caller, params.id),
    getPins: ({ caller }) => getPins(core, caller.userId),
    putPins: ({ caller, body }) => putPins(core, caller, body),
  })
}
