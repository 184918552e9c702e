import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { count, id, nothing, time } from '../values.ts'

/** A participant of a connection, as the other one sees them. */
export const party = z.object({
  id,
  username: z.string().optional().describe('absent while they show contacts only their name'),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().optional().describe('absent while they show contacts only their name'),
  available: z.boolean().describe('false while suspended or deactivated'),
  online: z.boolean().describe('also false while either participant has the online status switched off'),
})
export type Participant = z.output<typeof party>

/** How long the messages of a conversation live, in milliseconds. */
export const lifetime = z.int().positive()

/** A participant can set one of these. */
export type Lifetime = (typeof limits.lifetimes)[number]

export const connection = z.object({
  id,
  userId1: id,
  userId2: id,
  user1: party,
  user2: party,
  status: z.enum(['active']),
  connectedAt: time,
  lifetime: lifetime.describe('of messages that are sent from now on; never more than `retention` of /api/config'),
  lastMessageAt: time.optional().describe('when the newest message that still exists was stored; absent without one'),
  lastSeq: z.int().nonnegative().describe('sequence number of the newest message ever sent here'),
})
export type Connection = z.output<typeof connection>

/** A blocked contact, under the name at that time. */
export const blockedPerson = z.object({ id, firstName: z.string(), lastName: z.string(), blockedAt: time })
export type BlockedPerson = z.output<typeof blockedPerson>

/** A former contact, under the name at that time. */
export const formerContact = z.object({ id, firstName: z.string(), lastName: z.string(), endedAt: time })
export type FormerContact = z.output<typeof formerContact>

/** Totals over all connections of the user, without what has been deleted. */
export const connectionStatistics = z.object({
  sent: count,
  received: count,
  period: z.int().positive().describe('milliseconds: the lifetime of a message, which is how far back the counts go'),
})
export type ConnectionStatistics = z.output<typeof connectionStatistics>

const byId = z.object({ id })

export const connections = {
  list: endpoint({
    method: 'GET',
    path: '/api/connections',
    guard: 'member',
    result: z.array(connection),
    summary: "The caller's connections, newest first",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/connections',
    guard: 'member',
    body: z.object({ connectionCode: z.string().trim().min(1).max(64) }),
    result: connection,
    status: 201,
    errors: ['CODE_OWN', 'CODE_UNKNOWN', 'ALREADY_CONNECTED', 'PERSON_BLOCKED', 'PEER_UNAVAILABLE'],
    summary: 'Connect with the owner of a code; takes effect at once for both',
  }),
  setLifetime: endpoint({
    method: 'PUT',
    path: '/api/connections/:id/lifetime',
    guard: 'member',
    params: byId,
    body: z.object({ lifetime: z.literal(limits.lifetimes) }),
    result: z.object({ lifetime }),
    errors: ['CONNECTION_NOT_FOUND'],
    summary:
      'Set how long messages live that either participant sends from now on; returns what applies on this server',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/connections/:id',
    guard: 'member',
    params: byId,
    result: nothing,
    errors: ['CONNECTION_NOT_FOUND'],
    summary: 'Remove a connection with its messages, files and envelopes, for both participants',
  }),
  statistics: endpoint({
    method: 'GET',
    path: '/api/connections/statistics',
    guard: 'member',
    result: connectionStatistics,
    summary: 'Number of undeleted messages that the caller has sent and received',
  }),
  block: endpoint({
    method: 'POST',
    path: '/api/connections/:id/block',
    guard: 'member',
    params: byId,
    result: blockedPerson,
    status: 201,
    errors: ['CONNECTION_NOT_FOUND'],
    summary: 'Remove a connection and block this person, who is not notified of the block',
  }),
  listBlocked: endpoint({
    method: 'GET',
    path: '/api/blocks',
    guard: 'member',
    result: z.array(blockedPerson),
    summary: 'People whom the caller has blocked, newest first',
  }),
  unblock: endpoint({
    method: 'DELETE',
    path: '/api/blocks/:id',
    guard: 'member',
    params: byId.describe('the blocked person'),
    result: nothing,
    errors: ['BLOCK_NOT_FOUND'],
    summary: 'Unblock a person, so that a new connection is possible',
  }),
  listFormer: endpoint({
    method: 'GET',
    path: '/api/former-contacts',
    guard: 'member',
    result: z.array(formerContact),
    summary: 'People whose connection with the caller ended in the last 24 hours, no matter who ended it, newest first',
  }),
  blockFormer: endpoint({
    method: 'POST',
    path: '/api/former-contacts/:id/block',
    guard: 'member',
    params: byId.describe('the person'),
    result: blockedPerson,
    status: 201,
    errors: ['FORMER_CONTACT_NOT_FOUND'],
    summary: 'Block this person, who is not notified',
  }),
  forgetFormer: endpoint({
    method: 'DELETE',
    path: '/api/former-contacts/:id',
    guard: 'member',
    params: byId.describe('the person'),
    result: nothing,
    errors: ['FORMER_CONTACT_NOT_FOUND'],
    summary: "Remove a person from the caller's list of ended connections before the 24 hours are over",
  }),
}
