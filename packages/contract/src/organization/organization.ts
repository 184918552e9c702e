import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { policy } from '../account/preferences.ts'
import { role, userProfile } from '../account/session.ts'
import { count, id, nothing, organizationWord, pageSize, time } from '../values.ts'

/** A member of an organization as its administrators see them. */
export const organizationUser = userProfile.extend({
  hasSecondFactor: z.boolean().describe('whether signing in also requires an authenticator app or a passkey'),
  lockedUntil: time.optional().describe('end of the lock after failed sign-ins'),
})
export type OrganizationUser = z.output<typeof organizationUser>

export const statistics = z.object({
  total: count,
  active: count.describe('users who are neither deactivated nor suspended'),
  inactive: count,
  admins: count.describe('users with either administrator role, including inactive ones'),
  activeAdmins: count,
  users: count,
})

export const userSort = z.enum(['name', 'email', 'role', 'status', 'joined'])
export type UserSort = z.output<typeof userSort>

/** A cursor: sent as `after`, with everything else unchanged, for the next page. */
const cursor = z.string().min(1).max(2048)
const next = cursor.nullable().describe('null at the end of the list')

const usersPage = pageSize(limits.maxUsersPage, limits.usersPage)

// Reading calls are `byItself`, because browsers repeat them with every 'organization_changed': an open page would keep
// its session alive for ever.
export const organization = {
  current: endpoint({
    method: 'GET',
    path: '/api/organizations/current',
    guard: 'administrator',
    byItself: true,
    result: z.object({
      id,
      name: z.string(),
      type: z.string(),
      isDefault: z.boolean().describe('joined by those who sign up without an invitation'),
      users: z.array(organizationUser).describe('the first page, by name'),
      next,
      statistics,
    }),
    summary: "The caller's organization with its first users; GET /api/organizations/users has the rest",
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/organizations/current',
    guard: 'administrator',
    body: z.object({ name: organizationWord, type: organizationWord }).partial(),
    result: z.object({ id, name: z.string(), type: z.string() }),
    errors: ['ACCOUNT_UNAVAILABLE'],
    summary: "Change the name or type of the caller's organization; for a Super Admin only",
  }),
  users: endpoint({
    method: 'GET',
    path: '/api/organizations/users',
    guard: 'administrator',
    byItself: true,
    query: z.object({
      search: z
        .string()
        .max(limits.userSearchCharacters)
        .optional()
        .describe('each word must begin a word of the name, the email address or the username'),
      sort: userSort.default('name'),
      direction: z.enum(['asc', 'desc']).default('asc'),
      after: cursor.optional(),
      limit: usersPage,
    }),
    result: z.object({
      users: z.array(organizationUser),
      next,
      total: count.describe('number of matches'),
      more: z.boolean().describe('whether counting stopped at `total`, so there may be more'),
    }),
    summary: "Search the users of the caller's organization, sorted, in pages",
  }),
}

const acting = ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'ABOVE_RANK', 'LAST_SUPER_ADMIN', 'ACCOUNT_UNAVAILABLE'] as const

/** Administrators' actions on other members; each ends the sessions of that member at once. */
export const userAdministration = {
  setStatus: endpoint({
    method: 'PATCH',
    path: '/api/users/:id/status',
    guard: 'administrator',
    params: z.object({ id }),
    body: z.object({ isActive: z.boolean() }),
    result: organizationUser,
    errors: [...acting, 'CONFIRMATION_NEEDED'],
    summary: 'Deactivate or reactivate a user',
  }),
  setRole: endpoint({
    method: 'PATCH',
    path: '/api/users/:id/role',
    guard: 'administrator',
    params: z.object({ id }),
    body: z.object({ role }),
    result: organizationUser,
    errors: [...acting, 'CONFIRMATION_NEEDED'],
    summary: "Change a user's role; for a Super Admin only",
  }),
  resetSecondFactor: endpoint({
    method: 'POST',
    path: '/api/users/:id/second-factor/reset',
    guard: 'administrator',
    params: z.object({ id }),
    result: organizationUser,
    errors: [...acting, 'SECOND_FACTOR_OFF', 'CONFIRMATION_NEEDED'],
    summary: 'Remove all second factors of a user who has lost them; the password alone signs in then',
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/api/users/:id/unlock',
    guard: 'administrator',
    params: z.object({ id }),
    result: organizationUser,
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'ABOVE_RANK', 'ACCOUNT_UNAVAILABLE', 'CONFIRMATION_NEEDED'],
    summary: 'Unlock a user after failed sign-ins; may be repeated',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    guard: 'administrator',
    params: z.object({ id }),
    result: nothing,
    errors: [...acting, 'CONFIRMATION_NEEDED'],
    summary: "Delete a user's account with everything in it",
  }),
}

const day = 24 * 60 * 60 * 1000

export const fullPolicy = z.object({
  ...policy.shape,
  twoFactor: z.boolean().describe('from `twoFactorFrom` on, members without a second factor can only set one up'),
  sessionDays: z
    .int()
    .min(1)
    .max(limits.sessionLife / day)
    .describe('days after which a session ends, even if it is used'),
  invitationOnly: z.boolean().describe('signing up requires an invitation; only relevant for the default organization'),
  allowedEmailDomains: z
    .array(z.string().trim().min(1).max(255))
    .max(limits.emailDomains)
    .describe('lower case, international names as xn--; without subdomains; an empty list allows every domain'),
})
export type OrganizationPolicy = z.output<typeof fullPolicy>

export const organizationPolicy = {
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/policy',
    guard: 'administrator',
    byItself: true,
    result: fullPolicy,
    summary: "The policy of the caller's organization",
  }),
  reach: endpoint({
    method: 'GET',
    path: '/api/organizations/policy/reach',
    guard: 'administrator',
    byItself: true,
    query: z.object({
      domain: z.string().trim().min(1).max(255).optional().describe('a domain to be allowed in addition'),
    }),
    result: z.object({
      withoutSecondFactor: count.describe('active members who would have to set up a second factor'),
      outsideDomains: count.describe('members whose address is outside the allowed domains'),
    }),
    summary: 'Number of members whom a stricter policy would affect',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/organizations/policy',
    guard: 'administrator',
    body: fullPolicy.partial(),
    result: fullPolicy,
    errors: ['ACCOUNT_UNAVAILABLE', 'CONFIRMATION_NEEDED', 'POLICY_DATE_INVALID'],
    summary: "Change the organization's policy; takes effect at once, except for a second factor with a date",
  }),
}

const member = z.object({ kind: z.literal('member'), id, firstName: z.string(), lastName: z.string() })
const party = z.discriminatedUnion('kind', [member, z.object({ kind: z.literal('deleted'), id })])
export type InvitationParty = z.output<typeof party>

export const invitation = z.object({
  id,
  role,
  state: z.enum(['open', 'used', 'revoked', 'expired']),
  createdAt: time,
  expiresAt: time.nullable().describe('null for the invitation of the first start'),
  createdBy: party.nullable().describe('null for the server, or for a user deleted by an older version'),
  usedAt: time.nullable(),
  usedBy: party.nullable(),
  revokedAt: time.nullable(),
})
export type Invitation = z.output<typeof invitation>

export const invitations = {
  list: endpoint({
    method: 'GET',
    path: '/api/organizations/invitations',
    guard: 'administrator',
    byItself: true,
    query: z.object({ after: id.optional(), limit: usersPage }),
    result: z.object({ invitations: z.array(invitation), next: id.nullable() }),
    summary: "The invitations of the caller's organization, newest first, with those who used them",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/organizations/invitations',
    guard: 'administrator',
    body: z.object({
      role,
      validFor: z.int().min(limits.minInvitation).max(limits.maxInvitation).describe('milliseconds'),
    }),
    result: z.object({ invitation, token: z.string().describe('returned once; the server stores its hash') }),
    status: 201,
    errors: ['ABOVE_RANK', 'INVITATIONS_FULL', 'ACCOUNT_UNAVAILABLE', 'CONFIRMATION_NEEDED'],
    summary: "Invite a person into the caller's organization; the link /auth#invitation=TOKEN works once",
  }),
  // The token is in the body, because addresses are logged. Counted with password guesses, by address.
  check: endpoint({
    method: 'POST',
    path: '/api/invitations/check',
    guard: 'public',
    limit: 'signIn',
    byItself: true,
    body: z.object({ token: z.string().min(1).max(128) }),
    result: z.object({ organization: z.string(), role, expiresAt: time.nullable() }),
    errors: ['INVITATION_INVALID'],
    summary: 'The organization and role of a valid invitation, for those who have its link; does not use it up',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/organizations/invitations/:id',
    guard: 'administrator',
    params: z.object({ id }),
    result: invitation,
    errors: ['INVITATION_NOT_FOUND', 'INVITATION_ENDED', 'ABOVE_RANK', 'ACCOUNT_UNAVAILABLE'],
    summary: 'Revoke an unused invitation',
  }),
}
