import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { supportRequest } from '../support.ts'
import { count, id, pageSize } from '../values.ts'

const state = supportRequest.shape.state

export const listedRequest = z.object({
  ...supportRequest.omit({ message: true }).shape,
  from: z.object({ id, username: z.string(), firstName: z.string(), lastName: z.string(), email: z.string() }),
})
export type ListedRequest = z.output<typeof listedRequest>

const wholeRequest = z.object({ ...listedRequest.shape, message: z.string() })
export type WholeRequest = z.output<typeof wholeRequest>

export const founderSupportRequests = {
  list: endpoint({
    method: 'GET',
    path: '/api/founder/support-requests',
    guard: 'founder',
    byItself: true,
    query: z.object({
      state: state.optional(),
      after: id.optional(),
      limit: pageSize(limits.maxSupportRequestsPage, limits.supportRequestsPage),
    }),
    result: z.object({
      requests: z.array(listedRequest),
      next: id.nullable().describe('pass as `after` for the next page; null at the end of the list'),
      open: count.describe('number of open requests, independent of the filter'),
    }),
    summary: 'Support requests of members, newest first, without their texts',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/founder/support-requests/:id',
    guard: 'founder',
    writes: true,
    params: z.object({ id }),
    result: wholeRequest,
    errors: ['REQUEST_NOT_FOUND'],
    summary: 'One support request with its text',
  }),
  setState: endpoint({
    method: 'PUT',
    path: '/api/founder/support-requests/:id/state',
    guard: 'founder',
    params: z.object({ id }),
    body: z.object({ state }),
    result: listedRequest,
    errors: ['REQUEST_NOT_FOUND'],
    summary: 'Close a support request, or reopen it',
  }),
}
