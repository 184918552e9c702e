import type { Result, Sent } from '@privity/contract/endpoint'
import { invitationLink } from '@privity/contract/invitationLink'
import {
  type Invitation,
  invitations as invitationCalls,
  organization as contract,
  organizationPolicy,
  type OrganizationPolicy,
  type OrganizationUser,
  userAdministration,
} from '@privity/contract/organization'
import type { Role } from '@privity/contract/session'
import type { Call } from './transport/call.ts'

export type CurrentOrganization = Result<typeof contract.current>
export type UsersQuery = Sent<typeof contract.users>['query']
export type OrganizationChange = Sent<typeof contract.update>['body']
export type UsersPage = Result<typeof contract.users>
export type PolicyReach = Result<typeof organizationPolicy.reach>
export type Invited = Result<typeof invitationCalls.check>
export type InvitationsPage = Result<typeof invitationCalls.list>

/** The administrators' calls. The event 'organization_changed' announces every change. */
export interface Organization {
  current(): Promise<CurrentOrganization>
  /** For a Super Admin. */
  update(part: OrganizationChange): Promise<Result<typeof contract.update>>
  /** `after` is the `next` of the page before, with everything else unchanged. */
  users(query?: UsersQuery): Promise<UsersPage>
  setActive(userId: string, isActive: boolean): Promise<OrganizationUser>
  setRole(userId: string, role: Role): Promise<OrganizationUser>
  /** For a member who has lost every factor. Throws SECOND_FACTOR_OFF where none is set up. */
  resetSecondFactor(userId: string): Promise<OrganizationUser>
  /** Clears failed sign-ins, so that a locked member can sign in at once. */
  unlock(userId: string): Promise<OrganizationUser>
  removeUser(userId: string): Promise<void>
  policy(): Promise<OrganizationPolicy>
  updatePolicy(part: Partial<OrganizationPolicy>): Promise<OrganizationPolicy>
  /** How many members a stricter policy would concern; `domain` is about to be allowed. */
  policyReach(domain?: string): Promise<PolicyReach>
  invitations(query?: { after?: string; limit?: number }): Promise<InvitationsPage>
  /** `validFor` in milliseconds. The link is returned only once and works for one sign-up. */
  invite(invitation: { role: Role; validFor: number }): Promise<{ invitation: Invitation; link: string }>
  revokeInvitation(id: string): Promise<Invitation>
  /** The organization and role of an invitation, for its holder. Throws INVITATION_INVALID where it cannot be used. */
  checkInvitation(token: string): Promise<Invited>
}

export const createOrganization = (call: Call, origin: string): Organization => ({
  current: () => call(contract.current, {}),
  update: (part) => call(contract.update, { body: part }),
  users: (query = {}) => call(contract.users, { query }),
  setActive: (id, isActive) => call(userAdministration.setStatus, { params: { id }, body: { isActive } }),
  setRole: (id, role) => call(userAdministration.setRole, { params: { id }, body: { role } }),
  resetSecondFactor: (id) => call(userAdministration.resetSecondFactor, { params: { id } }),
  unlock: (id) => call(userAdministration.unlock, { params: { id } }),
  removeUser: async (id) => void (await call(userAdministration.remove, { params: { id } })),
  policy: () => call(organizationPolicy.get, {}),
  updatePolicy: (part) => call(organizationPolicy.update, { body: part }),
  policyReach: (domain) => call(organizationPolicy.reach, { query: domain === undefined ? {} : { domain } }),
  invitations: (query = {}) => call(invitationCalls.list, { query }),
  async invite(options) {
    const { invitation, token } = await call(invitationCalls.create, { body: options })
    return { invitation, link: invitationLink(origin, token) }
  },
  checkInvitation: (token) => call(invitationCalls.check, { body: { token } }),
  revokeInvitation: (id) => call(invitationCalls.revoke, { params: { id } }),
})
