import { keys } from '@privity/contract/keys'
import { recovery } from '@privity/contract/recovery'
import { session } from '@privity/contract/session'
import type { Member, TestServer } from '../server/testServer.ts'
import { makeEpoch, makePins, publication, random, wrapped } from '../server/memberKeys.ts'

export interface AuditCase {
  /** The action of the audit entry that the call writes, a list for several entries, or the reason for writing none. */
  action: string | readonly string[] | { none: string }
  /** Tables whose rows one attempt uses up, successful or not. */
  usesUp?: readonly string[]
  /**
   * Creates the preconditions, and returns the call in two forms: `succeed`, and `fail`, which throws if the call
   * succeeds (absent if a signed-in member cannot make it fail).
   */
  prepare(server: TestServer): Promise<{ fail?: () => Promise<unknown>; succeed: () => Promise<unknown> }>
}

const proofOf = ({ user, keys: given }: Member) => ({
  username: user.username,
  recoveryProof: given?.recoveryProof as string,
})

/** Every state-changing call of the accounts, by `METHOD path`. */
export const accountCases: Record<string, AuditCase> = {
  'POST /api/register': {
    action: 'account_created',
    async prepare(server) {
      const { user, password } = await server.signUp()
      const username = `${user.username}-new`
      const body = { username, password, firstName: 'A', lastName: 'B', email: `${username}@example.com` }
      return {
        fail: () => server.visitor().refused(session.register, { body: { ...body, username: user.username } }),
        succeed: () => server.visitor().call(session.register, { body }),
      }
    },
  },
  'POST /api/login': {
    action: 'signed_in',
    async prepare(server) {
      const { user, password } = await server.signUp()
      const { username } = user
      return {
        fail: () => server.visitor().refused(session.login, { body: { username, password: 'wrong' } }),
        succeed: () => server.visitor().call(session.login, { body: { username, password } }),
      }
    },
  },
  'POST /api/logout': {
    action: 'signed_out',
    async prepare(server) {
      const member = await server.signUp()
      return { succeed: () => member.call(session.logout, {}) }
    },
  },
  'DELETE /api/sessions/:id': {
    action: 'session_ended',
    async prepare(server) {
      const member = await server.signUp()
      const [own] = await member.call(session.listSessions, {})
      return {
        fail: () => member.refused(session.endSession, { params: { id: member.user.id } }),
        succeed: () => member.call(session.endSession, { params: { id: own?.id as string } }),
      }
    },
  },
  'POST /api/connection-code/generate': {
    action: 'connection_code_replaced',
    async prepare(server) {
      const member = await server.signUp()
      return { succeed: () => member.call(session.generateCode, {}) }
    },
  },
  'POST /api/keys/epochs': {
    action: 'epoch_published',
    async prepare(server) {
      const member = await server.signUp()
      const epoch = (n: number) => publication(makeEpoch(member.user.id, n, server.clock.now()))
      return {
        fail: () => member.refused(keys.publishEpochs, epoch(5)),
        succeed: () => member.call(keys.publishEpochs, epoch(2)),
      }
    },
  },
  'PUT /api/keys/pins': {
    action: 'pins_changed',
    async prepare(server) {
      const member = await server.signUp()
      const pins = (version: number) => ({ body: makePins(member.user.id, version) })
      return {
        fail: () => member.refused(keys.putPins, pins(7)),
        succeed: () => member.call(keys.putPins, pins(2)),
      }
    },
  },
  'POST /api/recovery': {
    action: 'recovery_started',
    async prepare(server) {
      const proof = proofOf(await server.signUp())
      return {
        fail: () => server.visitor().refused(recovery.start, { body: { ...proof, recoveryProof: random(32) } }),
        succeed: () => server.visitor().call(recovery.start, { body: proof }),
      }
    },
  },
  'POST /api/recovery/password': {
    action: 'password_recovered',
    async prepare(server) {
      const body = { ...proofOf(await server.signUp()), password: 'new', wrappedAccountKey: wrapped() }
      return {
        fail: () => server.visitor().refused(recovery.finish, { body: { ...body, recoveryProof: random(32) } }),
        succeed: () => server.visitor().call(recovery.finish, { body }),
      }
    },
  },
}
