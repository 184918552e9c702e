import { confirmation } from '@privity/contract/confirmation'
import { limits } from '@privity/contract/limits'
import { invitations, organization, organizationPolicy, userAdministration } from '@privity/contract/organization'
import type { AuditCase } from './account.ts'
import type { TestServer } from '../server/testServer.ts'
import { join } from '../scenes/organization.ts'
import { enableTotp } from '../scenes/secondFactor.ts'

const both = async (server: TestServer) => {
  const [admin, user] = [await join(server, 'super_admin'), await server.signUp()]
  return { admin, own: { params: { id: admin.user.id } }, theirs: { params: { id: user.user.id } } }
}

/** Every call by which administrators change their organization, by `METHOD path`. */
export const organizationCases: Record<string, AuditCase> = {
  'PATCH /api/users/:id/status': {
    action: 'user_deactivated',
    async prepare(server) {
      const { admin, own, theirs } = await both(server)
      const body = { isActive: false }
      return {
        fail: () => admin.refused(userAdministration.setStatus, { ...own, body }),
        succeed: () => admin.call(userAdministration.setStatus, { ...theirs, body }),
      }
    },
  },
  'POST /api/invitations/check': {
    action: { none: 'reads, and uses nothing up' },
    async prepare(server) {
      const admin = await join(server, 'super_admin')
      const body = { role: 'user', validFor: limits.invitationUsual } as const
      const { token } = await admin.call(invitations.create, { body })
      return {
        fail: () => server.visitor().refused(invitations.check, { body: { token: 'never made' } }),
        succeed: () => server.visitor().call(invitations.check, { body: { token } }),
      }
    },
  },
  'PATCH /api/users/:id/role': {
    action: 'user_role_changed',
    async prepare(server) {
      const { admin, own, theirs } = await both(server)
      const body = { role: 'org_admin' } as const
      return {
        fail: () => admin.refused(userAdministration.setRole, { ...own, body }),
        succeed: () => admin.call(userAdministration.setRole, { ...theirs, body }),
      }
    },
  },
  'POST /api/users/:id/unlock': {
    action: 'account_unlocked',
    async prepare(server) {
      const { admin, own, theirs } = await both(server)
      const count =
        "insert into sign_in_locks (purpose, account, device, failed, last_failed_at) values ('sign-in', ?, '', 1, 0)"
      await server.core.db.write((tx) => tx.run(count, [theirs.params.id]))
      return {
        fail: () => admin.refused(userAdministration.unlock, own),
        succeed: () => admin.call(userAdministration.unlock, theirs),
      }
    },
  },
  'POST /api/users/:id/second-factor/reset': {
    action: 'user_second_factor_reset',
    async prepare(server) {
      const [admin, user] = [await join(server, 'super_admin'), await server.signUp()]
      const [target, other] = [{ params: { id: user.user.id } }, { params: { id: admin.user.id } }]
      await enableTotp(server, user)
      return {
        fail: () => admin.refused(userAdministration.resetSecondFactor, other),
        succeed: () => admin.call(userAdministration.resetSecondFactor, target),
      }
    },
  },
  'DELETE /api/users/:id': {
    action: 'user_deleted',
    async prepare(server) {
      const { admin, own, theirs } = await both(server)
      return {
        fail: () => admin.refused(userAdministration.remove, own),
        succeed: () => admin.call(userAdministration.remove, theirs),
      }
    },
  },
  'POST /api/session/confirmation': {
    action: 'session_confirmed',
    async prepare(server) {
      const admin = await join(server, 'org_admin')
      const { password } = admin
      return {
        fail: () => admin.refused(confirmation.confirm, { body: { password: 'wrong' } }),
        succeed: () => admin.call(confirmation.confirm, { body: { password } }),
      }
    },
  },
  'PATCH /api/organizations/current': {
    action: 'organization_changed',
    async prepare(server) {
      const [admin, lesser] = [await join(server, 'super_admin'), await join(server, 'org_admin')]
      const body = { name: `Chambers ${server.clock.now()} ${admin.address}` }
      return {
        fail: () => lesser.refused(organization.update, { body }),
        succeed: () => admin.call(organization.update, { body }),
      }
    },
  },
  'PATCH /api/organizations/policy': {
    action: 'policy_changed',
    async prepare(server) {
      const admin = await join(server, 'org_admin')
      const { watermark } = await admin.call(organizationPolicy.get, {})
      return {
        fail: () => admin.refused(organizationPolicy.update, { body: { allowedEmailDomains: ['none'] } }),
        succeed: () => admin.call(organizationPolicy.update, { body: { watermark: !watermark } }),
      }
    },
  },
  'POST /api/organizations/invitations': {
    action: 'invitation_created',
    async prepare(server) {
      const admin = await join(server, 'org_admin')
      const validFor = limits.invitationUsual
      return {
        fail: () => admin.refused(invitations.create, { body: { role: 'super_admin', validFor } }),
        succeed: () => admin.call(invitations.create, { body: { role: 'user', validFor } }),
      }
    },
  },
  'DELETE /api/organizations/invitations/:id': {
    action: 'invitation_revoked',
    async prepare(server) {
      const admin = await join(server, 'org_admin')
      const body = { role: 'user', validFor: limits.invitationUsual } as const
      const { invitation } = await admin.call(invitations.create, { body })
      return {
        fail: () => admin.refused(invitations.revoke, { params: { id: admin.user.id } }),
        succeed: () => admin.call(invitations.revoke, { params: { id: invitation.id } }),
      }
    },
  },
}
