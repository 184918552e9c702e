import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { organization, organizationUser } from '../organization/organization.ts'
import { id, nothing } from '../values.ts'

/** A user of any organization, as the founder sees them. */
export const founderUser = organizationUser.extend({ organization: z.object({ id, name: z.string() }) })
export type FounderUser = z.output<typeof founderUser>

export const founderUserSort = z.enum(['name', 'email', 'joined'])
export type FounderUserSort = z.output<typeof founderUserSort>

const acting = ['ACCOUNT_NOT_FOUND', 'LAST_SUPER_ADMIN'] as const

/** The users of all organizations. Every action on one ends their sessions at once. */
export const founderUsers = {
  list: endpoint({
    method: 'GET',
    path: '/api/founder/users',
    guard: 'founder',
    byItself: true,
    query: z.object({
      ...organization.users.query.shape,
      sort: founderUserSort.default('name'),
      organization: id.optional().describe('only the users of this organization; none if it does not exist'),
    }),
    result: organization.users.result.extend({ users: z.array(founderUser) }),
    summary: 'Search the users of all organizations or of one, sorted, in pages',
  }),
  suspend: endpoint({
    method: 'PUT',
    path: '/api/founder/users/:id/suspend',
    guard: 'founder',
    params: z.object({ id }),
    result: founderUser,
    errors: acting,
    summary: 'Suspend a user, who then can neither sign in nor send; may be repeated',
  }),
  unsuspend: endpoint({
    method: 'PUT',
    path: '/api/founder/users/:id/unsuspend',
    guard: 'founder',
    params: z.object({ id }),
    result: founderUser,
    errors: ['ACCOUNT_NOT_FOUND', 'CONFIRMATION_NEEDED'],
    summary: 'Lift the suspension of a user',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/founder/users/:id',
    guard: 'founder',
    params: z.object({ id }),
    result: nothing,
    errors: [...acting, 'CONFIRMATION_NEEDED'],
    summary: "Delete a user's account with everything in it",
  }),
}
