import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, nothing, time } from './values.ts'

/** A party of a connection, as the other one sees him. */
export const party = z.object({
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  available: z.boolean().describe('false while suspended or deactivated'),
  online: z.boolean(),
})
export type Party = z.output<typeof party>

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

const byId = z.object({ id })

export const connections = {
  list: endpoint({
    method: 'GET',
    path: '/api/connections',
    guard: 'member',
    result: z.array(connection),
    errors: [],
    summary: "One's connections, newest first",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/connections',
    guard: 'member',
    body: z.object({ connectionCode: z.string().trim().min(1).max(64) }),
    result: connection,
    status: 201,
    errors: ['CODE_OWN', 'CODE_UNKNOWN', 'ALREADY_CONNECTED', 'PEER_UNAVAILABLE'],
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
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
export const codeAlphabet = { letters, digits } as const

/** ABC-DEF-123 from what a person typed (any case, spaces or hyphens or none), or undefined. */
export function normaliseCode(typed: string): string | undefined {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '')
  const form = new RegExp(`^[${letters}]{6}[${digits}]{3}$`)
  return form.test(bare) ? `${bare.slice(0, 3)}-${bare.slice(3, 6)}-${bare.slice(6)}` : undefined
}
