import type { FastifyInstance } from 'fastify'
import { invitations, organization, organizationPolicy, userAdministration } from '@privity/contract/organization'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { removeUser, setRole, setStatus, unlock } from './users/administration.ts'
import { checkInvitation, createInvitation, listInvitations, revokeInvitation } from './invitations/invitations.ts'
import { getOrganization, getUsers } from './organization.ts'
import { getPolicy, updatePolicy } from './policy/policy.ts'
import { getPolicyImpact } from './policy/policyImpact.ts'
import { updateOrganization } from './settings.ts'
import { resetSecondFactor } from './users/secondFactorReset.ts'
import { notifyPolicyChanges } from './policy/policyChanges.ts'

export function mountOrganization(app: FastifyInstance, core: Core): void {
  implement(app, core, organization, {
    current: ({ caller }) => getOrganization(core, caller),
    update: ({ caller, body }) => updateOrganization(core, caller, body),
    users: ({ caller, query }) => getUsers(core, caller, query),
  })
  implement(app, core, userAdministration, {
    setStatus: ({ caller, params, body }) => setStatus(core, caller, params.id, body.isActive),
    setRole: ({ caller, params, body }) => setRole(core, caller, params.id, body.role),
    resetSecondFactor: ({ caller, params }) => resetSecondFactor(core, caller, params.id),
    unlock: ({ caller, params }) => unlock(core, caller, params.id),
    async remove({ caller, params }) {
      await removeUser(core, caller, params.id)
      return {}
    },
  })
  notifyPolicyChanges(core)
  implement(app, core, organizationPolicy, {
    get: ({ caller }) => getPolicy(core, caller),
    reach: ({ caller, query }) => getPolicyImpact(core, caller, query.domain),
    update: ({ caller, body }) => updatePolicy(core, caller, body),
  })
  implement(app, core, invitations, {
    list: ({ caller, query }) => listInvitations(core, caller, query),
    create: ({ caller, body }) => createInvitation(core, caller, body),
    check: ({ body }) => checkInvitation(core, body),
    revoke: ({ caller, params }) => revokeInvitation(core, caller, params.id),
  })
}
