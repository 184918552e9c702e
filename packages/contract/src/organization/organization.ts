import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { policy } from '../account/preferences.ts'
import { role } from '../account/session.ts'
import { count, id, nothing, organizationWord, pageSize, time } from '../values.ts'

/** A member of an organization as its administrators see them. */
export const organizationUser = z.object({
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role,
  isActive: z.boolean(),
  suspended: z.boolean().describe('by the operator of this server'),
  createdAt: time,
  hasSecondFactor: z.boolean().describe('signing in takes an authenticator app or a passkey too'),
  lockedUntil: time.optional().describe('failed sign-ins lock the account until then'),
})
export type OrganizationUser = z.output<typeof organizationUser>

export const statistics = z.object({
  total: count,
  active: count.describe('who can sign in: neither deactivated nor suspended'),
  inactive: count,
  admins: count.describe('of both administrator roles, inactive ones among them'),
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
      isDefault: z.boolean().describe('whoever signs up without an invitation joins it'),
      users: z.array(organizationUser).describe('the first page, by name'),
      next,
      statistics,
    }),
    summary: "One's own organization with its first users; GET /api/organizations/users has the rest",
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/organizations/current',
    guard: 'administrator',
    body: z.object({ name: organizationWord, type: organizationWord }).partial(),
    result: z.object({ id, name: z.string(), type: z.string() }),
    errors: ['ACCOUNT_UNAVAILABLE'],
    summary: "Change the name or the type of one's organization; for a Super Admin only",
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
        .describe('each of its words begins a word of the name, the email address or the username'),
      sort: userSort.default('name'),
      direction: z.enum(['asc', 'desc']).default('asc'),
      after: cursor.optional(),
      limit: usersPage,
    }),
    result: z.object({
      users: z.array(organizationUser),
      next,
      total: count.describe('how many match'),
      more: z.boolean().describe('there are at least `total`: nobody counts further'),
    }),
    summary: "The users of one's own organization: searched, sorted, page by page",
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
    summary: 'Deactivate a user, or activate them again',
  }),
  setRole: endpoint({
    method: 'PATCH',
    path: '/api/users/:id/role',
    guard: 'administrator',
    params: z.object({ id }),
    body: z.object({ role }),
    result: organizationUser,
    errors: [...acting, 'CONFIRMATION_NEEDED'],
    summary: 'Give a user another role; for a Super Admin only',
  }),
  resetSecondFactor: endpoint({
    method: 'POST',
    path: '/api/users/:id/second-factor/reset',
    guard: 'administrator',
    params: z.object({ id }),
    result: organizationUser,
    errors: [...acting, 'SECOND_FACTOR_OFF', 'CONFIRMATION_NEEDED'],
    summary: 'Remove the second factors of a user who has lost them all; the password alone signs in then',
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/api/users/:id/unlock',
    guard: 'administrator',
    params: z.object({ id }),
    result: organizationUser,
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'ABOVE_RANK', 'ACCOUNT_UNAVAILABLE', 'CONFIRMATION_NEEDED'],
    summary: 'Let a user sign in again before the lock of failed sign-ins ends; fine where there is none',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    guard: 'administrator',
    params: z.object({ id }),
    result: nothing,
    errors: [...acting, 'CONFIRMATION_NEEDED'],
    summary: 'Delete the account of a user with everything in it',
  }),
}

const day = 24 * 60 * 60 * 1000

export const fullPolicy = z.object({
  ...policy.shape,
  twoFactor: z.boolean().describe('who has no second factor can do nothing but set one up, from `twoFactorFrom` on'),
  sessionDays: z
    .int()
    .min(1)
    .max(limits.sessionLife / day)
    .describe('days after which a session ends, however much it is used'),
  invitationOnly: z
    .boolean()
    .describe('nobody signs up without an invitation; says something for the default organization only'),
  allowedEmailDomains: z
    .array(z.string().trim().min(1).max(255))
    .max(limits.emailDomains)
    .describe('lower case, international names as xn--; each means itself and not its sub-domains; none: every domain'),
})
export type OrganizationPolicy = z.output<typeof fullPolicy>

export const organizationPolicy = {
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/policy',
    guard: 'administrator',
    byItself: true,
    result: fullPolicy,
    summary: "What one's organization asks of its members",
  }),
  reach: endpoint({
    method: 'GET',
    path: '/api/organizations/policy/reach',
    guard: 'administrator',
    byItself: true,
    query: z.object({
      domain: z.string().trim().min(1).max(255).optional().describe('that is about to be allowed beside the others'),
    }),
    result: z.object({
      withoutSecondFactor: count.describe('members who can sign in and would have to set one up'),
      outsideDomains: count.describe('members whose address is of none of the allowed domains'),
    }),
    summary: 'How many members a stricter policy would concern',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/organizations/policy',
    guard: 'administrator',
    body: fullPolicy.partial(),
    result: fullPolicy,
    errors: ['ACCOUNT_UNAVAILABLE', 'CONFIRMATION_NEEDED', 'POLICY_DATE_INVALID'],
    summary: "Change some of what one's organization asks; in effect at once, but for a second factor from a day on",
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
  expiresAt: time.nullable().describe('null: the invitation of the first start'),
  createdBy: party.nullable().describe('null: the server, or somebody deleted by an older version'),
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
    summary: "The invitations of one's organization, newest first, with who used them",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/organizations/invitations',
    guard: 'administrator',
    body: z.object({
      role,
      validFor: z.int().min(limits.minInvitation).max(limits.maxInvitation).describe('milliseconds'),
    }),
    result: z.object({ invitation, token: z.string().describe('told this once; the server keeps its hash') }),
    status: 201,
    errors: ['ABOVE_RANK', 'INVITATIONS_FULL', 'ACCOUNT_UNAVAILABLE', 'CONFIRMATION_NEEDED'],
    summary: "Invite one person into one's organization; the link /auth#invitation=TOKEN works once",
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
    summary: 'What an invitation that can be used invites to, for who has its link; uses nothing up',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/organizations/invitations/:id',
    guard: 'administrator',
    params: z.object({ id }),
    result: invitation,
    errors: ['INVITATION_NOT_FOUND', 'INVITATION_ENDED', 'ABOVE_RANK', 'ACCOUNT_UNAVAILABLE'],
    summary: 'Revoke an invitation that nobody has used',
  }),
}
