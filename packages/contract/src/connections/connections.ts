import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { count, id, nothing, time } from '../values.ts'

/** A participant of a connection, as the other one sees them. */
export const party = z.object({
  id,
  username: z.string().optional().describe('absent while they show contacts their name only'),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().optional().describe('absent while they show contacts their name only'),
  available: z.boolean().describe('false while suspended or deactivated'),
  online: z.boolean().describe('false also while either of the two keeps the online status switched off'),
})
export type Participant = z.output<typeof party>

export const connection = z.object({
  id,
  userId1: id,
  userId2: id,
  user1: party,
  user2: party,
  status: z.enum(['active']),
  connectedAt: time,
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
  period: z.int().positive().describe('milliseconds: how long a message lives, so how far back these go'),
})
export type ConnectionStatistics = z.output<typeof connectionStatistics>

const byId = z.object({ id })

export const connections = {
  list: endpoint({
    method: 'GET',
    path: '/api/connections',
    guard: 'member',
    result: z.array(connection),
    summary: "One's connections, newest first",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/connections',
    guard: 'member',
    body: z.object({ connectionCode: z.string().trim().min(1).max(64) }),
    result: connection,
    status: 201,
    errors: ['CODE_OWN', 'CODE_UNKNOWN', 'ALREADY_CONNECTED', 'PERSON_BLOCKED', 'PEER_UNAVAILABLE'],
    summary: 'Connect by code; at once for both sides',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/connections/:id',
    guard: 'member',
    params: byId,
    result: nothing,
    errors: ['CONNECTION_NOT_FOUND'],
    summary: 'Remove a connection with its messages, files and envelopes, for both',
  }),
  statistics: endpoint({
    method: 'GET',
    path: '/api/connections/statistics',
    guard: 'member',
    result: connectionStatistics,
    summary: 'How many messages one has sent and received that are not deleted yet',
  }),
  block: endpoint({
    method: 'POST',
    path: '/api/connections/:id/block',
    guard: 'member',
    params: byId,
    result: blockedPerson,
    status: 201,
    errors: ['CONNECTION_NOT_FOUND'],
    summary: 'Remove a connection and refuse a new one with this person, who is not told of the block',
  }),
  listBlocked: endpoint({
    method: 'GET',
    path: '/api/blocks',
    guard: 'member',
    result: z.array(blockedPerson),
    summary: 'Who one has blocked, the latest first',
  }),
  unblock: endpoint({
    method: 'DELETE',
    path: '/api/blocks/:id',
    guard: 'member',
    params: byId.describe('of the blocked person'),
    result: nothing,
    errors: ['BLOCK_NOT_FOUND'],
    summary: 'Allow a new connection with a blocked person again',
  }),
  listFormer: endpoint({
    method: 'GET',
    path: '/api/former-contacts',
    guard: 'member',
    result: z.array(formerContact),
    summary: 'Whose connection with oneself ended in the last 24 hours, whoever ended it, the latest first',
  }),
  blockFormer: endpoint({
    method: 'POST',
    path: '/api/former-contacts/:id/block',
    guard: 'member',
    params: byId.describe('of the person'),
    result: blockedPerson,
    status: 201,
    errors: ['FORMER_CONTACT_NOT_FOUND'],
    summary: 'Refuse a new connection with this person, who is not told',
  }),
  forgetFormer: endpoint({
    method: 'DELETE',
    path: '/api/former-contacts/:id',
    guard: 'member',
    params: byId.describe('of the person'),
    result: nothing,
    errors: ['FORMER_CONTACT_NOT_FOUND'],
    summary: "Take a person off one's list of ended connections before the 24 hours are over",
  }),
}
