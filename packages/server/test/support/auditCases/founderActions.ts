import { lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { founderOrganizations } from '@privity/contract/founder/organizations'
import { founderSupportRequests } from '@privity/contract/founder/supportRequests'
import { founderUsers } from '@privity/contract/founder/users'
import { support } from '@privity/contract/support'
import type { AuditCase } from './account.ts'
import type { TestServer } from '../server/testServer.ts'
import { signInFounder } from '../founder/founder.ts'
import { join, setRole } from '../scenes/organization.ts'

const nobody = { params: { id: '01890000-0000-7000-8000-000000000000' } }

/** The founder, a member to act on, and the last Super Admin of the member's organization. */
async function scene(server: TestServer) {
  const founder = await signInFounder(server)
  const [member, last] = [await join(server), await join(server, 'super_admin')]
  const others = "update users set role = 'user' where role = 'super_admin' and id <> ?"
  await server.core.db.write((tx) => tx.run(others, [last.user.id]))
  await setRole(server, last, 'super_admin')
  const at = (id: string) => ({ params: { id } })
  return { founder, member, theirs: at(member.user.id), lasts: at(last.user.id) }
}

/** Every call by which the founder changes accounts, organizations and support requests, by `METHOD path`. */
export const founderActionCases: Record<string, AuditCase> = {
  'PUT /api/founder/users/:id/suspend': {
    action: 'user_suspended',
    async prepare(server) {
      const { founder, theirs, lasts } = await scene(server)
      return {
        fail: () => founder.refused(founderUsers.suspend, lasts),
        succeed: () => founder.call(founderUsers.suspend, theirs),
      }
    },
  },
  'PUT /api/founder/users/:id/unsuspend': {
    action: 'user_unsuspended',
    async prepare(server) {
      const { founder, theirs } = await scene(server)
      await founder.call(founderUsers.suspend, theirs)
      return {
        fail: () => founder.refused(founderUsers.unsuspend, nobody),
        succeed: () => founder.call(founderUsers.unsuspend, theirs),
      }
    },
  },
  'DELETE /api/founder/users/:id': {
    action: 'user_deleted',
    async prepare(server) {
      const { founder, theirs, lasts } = await scene(server)
      return {
        fail: () => founder.refused(founderUsers.remove, lasts),
        succeed: () => founder.call(founderUsers.remove, theirs),
      }
    },
  },
  'POST /api/founder/unlock-account/:id': {
    action: 'account_unlocked',
    async prepare(server) {
      const { founder, member, theirs } = await scene(server)
      const body = { username: member.user.username, password: 'wrong' }
      for (let at = 0; at < 5; at++) await server.visitor().request('POST', '/api/login', body)
      return {
        fail: () => founder.refused(lockedAccounts.unlock, nobody),
        succeed: () => founder.call(lockedAccounts.unlock, theirs),
      }
    },
  },
  'POST /api/founder/organizations': {
    action: ['organization_created', 'invitation_created'],
    async prepare(server) {
      const founder = await signInFounder(server)
      const body = { name: 'Chambers', type: 'Legal' }
      return {
        fail: () => founder.refused(founderOrganizations.create, { body: { ...body, name: ' ' } }),
        succeed: () => founder.call(founderOrganizations.create, { body }),
      }
    },
  },
  'POST /api/founder/organizations/:id/invitation': {
    action: ['invitation_revoked', 'invitation_created'],
    async prepare(server) {
      const founder = await signInFounder(server)
      const body = { name: 'Chambers', type: 'Legal' }
      const { organization } = await founder.call(founderOrganizations.create, { body })
      const { organizations } = await founder.call(founderOrganizations.list, { query: { limit: 200 } })
      const full = organizations.find(({ members }) => members > 0)?.id as string
      return {
        fail: () => founder.refused(founderOrganizations.invite, { params: { id: full } }),
        succeed: () => founder.call(founderOrganizations.invite, { params: { id: organization.id } }),
      }
    },
  },
  'PUT /api/founder/support-requests/:id/state': {
    action: 'support_request_changed',
    async prepare(server) {
      const { founder, member } = await scene(server)
      const body = { subject: 'Help', category: 'general', message: 'Please.' } as const
      const { id } = await member.call(support.create, { body })
      const closed = { body: { state: 'closed' } } as const
      return {
        fail: () => founder.refused(founderSupportRequests.setState, { ...nobody, ...closed }),
        succeed: () => founder.call(founderSupportRequests.setState, { params: { id }, ...closed }),
      }
    },
  },
}
