import type { FastifyInstance } from 'fastify'
import { browsers } from '@privity/contract/browsers'
import { keys } from '@privity/contract/keys'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import {
  answerApproval,
  approveBrowser,
  endApproval,
  listRecoverySeeds,
  revealApproval,
  startApproval,
} from './browserApproval.ts'
import { setBrowserMode } from './browserMode.ts'
import { putOwnBrowser } from './browserRenewal.ts'
import { bindBrowser, listBrowsers, listLinks, removeBrowser } from './browsers.ts'
import { publishEpochs } from './epochs.ts'
import { getContactKeys, getOwnKeys, getPins, listContactKeys, listIdentities, putPins } from './keys.ts'

const empty = () => ({})

export function mountKeys(app: FastifyInstance, core: Core): void {
  implement(app, core, keys, {
    getOwn: ({ caller, query }) => getOwnKeys(core, caller, query.browser),
    publishEpochs: ({ caller, body, request }) => publishEpochs({ core, caller, request }, body),
    listIdentities: ({ caller }) => listIdentities(core, caller.userId),
    listContactKeys: ({ caller, query }) => listContactKeys(core, caller, query.connections),
    getContactKeys: ({ caller, params }) => getContactKeys(core, caller, params.id),
    getPins: ({ caller }) => getPins(core, caller.userId),
    putPins: ({ caller, body }) => putPins(core, caller, body),
  })
  implement(app, core, browsers, {
    list: ({ caller }) => listBrowsers(core, caller),
    listLinks: ({ caller, params, query }) => listLinks(core, caller, params.id, query.after),
    putOwn: ({ caller, body, request }) => putOwnBrowser({ core, caller, request }, body).then(empty),
    bind: ({ caller, params, body, request }) =>
      bindBrowser({ core, caller, request }, params.id, body.sessionSignature).then(empty),
    remove: ({ caller, params, body, request }) =>
      removeBrowser({ core, caller, request }, params.id, body).then(empty),
    setMode: ({ caller, body, request }) => setBrowserMode({ core, caller, request }, body).then(empty),
    listRecoverySeeds: ({ caller }) => listRecoverySeeds(core, caller),
    startApproval: ({ caller, params, body }) => startApproval(core, caller, params.id, body.commitment).then(empty),
    answerApproval: ({ caller, params, body }) => answerApproval(core, caller, params.id, body).then(empty),
    revealApproval: ({ caller, params, body }) => revealApproval(core, caller, params.id, body).then(empty),
    endApproval: ({ caller, params }) => endApproval(core, caller, params.id).then(empty),
    approve: ({ caller, params, body, request }) =>
      approveBrowser({ core, caller, request }, params.id, body).then(empty),
  })
}
