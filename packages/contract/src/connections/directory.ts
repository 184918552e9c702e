import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { contact } from '../notifications.ts'
import { id, nothing, time } from '../values.ts'
import { blockedPerson, connection } from './connections.ts'

/** A member of the caller's organization. Never a connection code, an email address or a username. */
export const colleague = z.object({
  ...contact.shape,
  state: z
    .enum(['none', 'connected', 'asked', 'asking'])
    .describe('asked: the caller has an open request to this person; asking: this person has one to the caller'),
})
export type Colleague = z.output<typeof colleague>

export const connectionRequest = z.object({
  id,
  who: contact.describe('the other person'),
  createdAt: time,
  expiresAt: time,
})
export type ConnectionRequest = z.output<typeof connectionRequest>

export const connectionRequests = z.object({
  received: z.array(connectionRequest).describe('the newest ones that wait for an answer of the caller'),
  sent: z.array(connectionRequest).describe('the open ones; one that was declined looks like one without an answer'),
})
export type ConnectionRequests = z.output<typeof connectionRequests>

const byId = z.object({ id })

export const directory = {
  search: endpoint({
    method: 'GET',
    path: '/api/directory',
    guard: 'member',
    limit: 'directorySearch',
    query: z.object({ name: z.string().trim().min(limits.directorySearchMin).max(limits.userSearchCharacters) }),
    result: z.object({
      colleagues: z.array(colleague).describe('by name'),
      more: z.boolean().describe('there are further ones: the search has to be narrowed'),
    }),
    errors: ['DIRECTORY_OFF'],
    summary: "Active members of the caller's organization whose names have words that begin like those of the search",
  }),
  requests: endpoint({
    method: 'GET',
    path: '/api/connection-requests',
    guard: 'member',
    byItself: true,
    result: connectionRequests,
    summary: 'Open requests for a connection, to the caller and by the caller, newest first',
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/connection-requests',
    guard: 'member',
    limit: 'connectionRequest',
    body: z.object({ userId: id }),
    result: z.object({
      connection: connection.optional().describe('present if the colleague had asked too: they are connected now'),
    }),
    status: 201,
    errors: [
      'DIRECTORY_OFF',
      'COLLEAGUE_NOT_FOUND',
      'PERSON_BLOCKED',
      'ALREADY_CONNECTED',
      'CONNECTION_REQUEST_OPEN',
      'CONNECTION_REQUEST_REPEATED',
      'CONNECTION_REQUESTS_FULL',
    ],
    summary: 'Ask a colleague to connect',
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/connection-requests/:id/accept',
    guard: 'member',
    params: byId,
    result: connection,
    status: 201,
    errors: ['CONNECTION_REQUEST_NOT_FOUND', 'DIRECTORY_OFF', 'COLLEAGUE_NOT_FOUND', 'PERSON_BLOCKED'],
    summary: 'Accept a request; connects as a connection code does',
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/connection-requests/:id/decline',
    guard: 'member',
    params: byId,
    result: nothing,
    errors: ['CONNECTION_REQUEST_NOT_FOUND'],
    summary: 'Decline a request; the other person is not notified',
  }),
  block: endpoint({
    method: 'POST',
    path: '/api/connection-requests/:id/block',
    guard: 'member',
    params: byId,
    result: blockedPerson,
    errors: ['CONNECTION_REQUEST_NOT_FOUND'],
    summary: 'Decline a request and block its sender, who is not notified',
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/connection-requests/:id',
    guard: 'member',
    params: byId,
    result: nothing,
    errors: ['CONNECTION_REQUEST_NOT_FOUND'],
    summary: "Withdraw one of the caller's own requests",
  }),
}
