import { browsers } from '@privity/contract/browsers'
import { newId } from '../../../src/core/ids.ts'
import {
  approval,
  binding,
  listBrowser,
  makeEntry,
  makeRemoval,
  renewal,
  sealTo,
  signInElsewhere,
  switchingOn,
} from '../scenes/browsers.ts'
import { random } from '../server/memberKeys.ts'
import { startOfTests } from '../server/fakeClock.ts'
import type { TestServer } from '../server/testServer.ts'
import type { AuditCase } from './account.ts'

const step = { none: 'a step of a comparison: what it leads to is written' }

/** A listed browser that is waiting for approval, and another one of the same member. */
async function prepareApproval(server: TestServer) {
  const member = await server.signUp()
  const entry = await listBrowser(member)
  const approver = await signInElsewhere(server, member)
  const approverId = (await listBrowser(approver)).browserId
  const commitment = random(32)
  const params = { id: entry.browserId }
  const start = () => member.call(browsers.startApproval, { params, body: { commitment } })
  const answer = { commitment, approverId, nonce: random(32) }
  return { member, approver, entry, params, start, answer, commitment }
}

/** Every state-changing call about the list of browsers, by `METHOD path`. */
export const browserCases: Record<string, AuditCase> = {
  'PUT /api/browsers/own': {
    action: 'browser_listed',
    async prepare(server) {
      const member = await server.signUp()
      const entry = makeEntry(member, newId(startOfTests))
      const { body } = await renewal(member, entry)
      return {
        fail: () => member.refused(browsers.putOwn, { body: { ...body, entry: { ...entry, n: 2 } } }),
        succeed: () => member.call(browsers.putOwn, { body }),
      }
    },
  },
  'PUT /api/browsers/:id/session': {
    action: { none: 'says which listed browser the session belongs to' },
    async prepare(server) {
      const member = await server.signUp()
      const { browserId: id } = await listBrowser(member)
      const again = await signInElsewhere(server, member)
      const bound = await binding(again, id)
      return {
        fail: () => again.refused(browsers.bind, { ...bound, params: { id: newId(startOfTests) } }),
        succeed: () => again.call(browsers.bind, bound),
      }
    },
  },
  'POST /api/browsers/:id/removal': {
    action: 'browser_removed',
    async prepare(server) {
      const member = await server.signUp()
      const { browserId: id } = await listBrowser(await signInElsewhere(server, member))
      const body = makeRemoval(member, id)
      return {
        fail: () => member.refused(browsers.remove, { params: { id }, body: { ...body, signature: random(64) } }),
        succeed: () => member.call(browsers.remove, { params: { id }, body }),
      }
    },
  },
  'PUT /api/browsers/mode': {
    action: 'only_approved_on',
    async prepare(server) {
      const member = await server.signUp()
      await listBrowser(member)
      const body = await switchingOn(member)
      return {
        fail: () => member.refused(browsers.setMode, { body: { ...body, signature: random(64) } }),
        succeed: () => member.call(browsers.setMode, { body }),
      }
    },
  },
  'POST /api/browsers/:id/approval': {
    action: step,
    async prepare(server) {
      const { approver, params, start, commitment } = await prepareApproval(server)
      return { fail: () => approver.refused(browsers.startApproval, { params, body: { commitment } }), succeed: start }
    },
  },
  'PUT /api/browsers/:id/approval/answer': {
    action: step,
    async prepare(server) {
      const { approver, params, start, answer } = await prepareApproval(server)
      await start()
      const body = { ...answer, commitment: random(32) }
      return {
        fail: () => approver.refused(browsers.answerApproval, { params, body }),
        succeed: () => approver.call(browsers.answerApproval, { params, body: answer }),
      }
    },
  },
  'PUT /api/browsers/:id/approval/reveal': {
    action: step,
    async prepare(server) {
      const { member, approver, params, start, answer, commitment } = await prepareApproval(server)
      await start()
      await approver.call(browsers.answerApproval, { params, body: answer })
      const body = { commitment, nonce: random(32) }
      return {
        fail: () => approver.refused(browsers.revealApproval, { params, body }),
        succeed: () => member.call(browsers.revealApproval, { params, body }),
      }
    },
  },
  'DELETE /api/browsers/:id/approval': {
    action: step,
    async prepare(server) {
      const { approver, params, start } = await prepareApproval(server)
      await start()
      return {
        fail: () => approver.refused(browsers.endApproval, { params: { id: newId(startOfTests) } }),
        succeed: () => approver.call(browsers.endApproval, { params }),
      }
    },
  },
  'PUT /api/browsers/:id/seeds': {
    action: 'browser_approved',
    async prepare(server) {
      const { approver, entry, params } = await prepareApproval(server)
      const body = approval(approver, entry.browserId, entry.n, sealTo([entry.browserId], [1]))
      return {
        fail: () => approver.refused(browsers.approve, { params, body: { ...body, signature: random(64) } }),
        succeed: () => approver.call(browsers.approve, { params, body }),
      }
    },
  },
}
