import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { count, id, organizationWord, pageSize, time } from '../values.ts'

export const listedOrganization = z.object({
  id,
  name: z.string(),
  type: z.string(),
  members: count,
  createdAt: time,
})
export type ListedOrganization = z.output<typeof listedOrganization>

const invited = z.object({
  organization: listedOrganization,
  token: z.string().describe('returned once; the link /auth#invitation=TOKEN creates the first Super Admin'),
  expiresAt: time,
})

export const founderOrganizations = {
  list: endpoint({
    method: 'GET',
    path: '/api/founder/organizations',
    guard: 'founder',
    byItself: true,
    query: z.object({
      after: id.optional(),
      limit: pageSize(limits.maxOrganizationsPage, limits.organizationsPage),
    }),
    result: z.object({
      organizations: z.array(listedOrganization),
      next: id.nullable().describe('pass as `after` for the next page; null at the end of the list'),
      total: count,
    }),
    summary: 'The organizations on this server, newest first',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/founder/organizations',
    guard: 'founder',
    body: z.object({ name: organizationWord, type: organizationWord }),
    result: invited,
    status: 201,
    errors: ['CONFIRMATION_NEEDED'],
    summary: 'Create an organization and an invitation for its first administrator',
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/founder/organizations/:id/invitation',
    guard: 'founder',
    params: z.object({ id }),
    result: invited,
    status: 201,
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_HAS_MEMBERS', 'CONFIRMATION_NEEDED'],
    summary: 'Replace the invitation for the first administrator while nobody has joined',
  }),
}
