import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { base64url, nothing } from './values.ts'

/** A subscription of a browser at its push service (RFC 8030), with the keys that encrypt for it (RFC 8291). */
export const pushSubscription = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(limits.pushEndpointCharacters),
  p256dh: base64url(65).describe('the public key of the subscription, a point of P-256'),
  auth: base64url(16),
})
export type PushSubscription = z.output<typeof pushSubscription>

export const pushState = z.object({
  availability: z
    .enum(['available', 'unavailable', 'forbidden'])
    .describe('unavailable: this server sends none; forbidden: by the policy of the organization'),
  publicKey: base64url(65).describe('the key that the server signs with (RFC 8292), for PushManager.subscribe'),
  choice: z.enum(['on', 'off']).nullable().describe('made in this browser by this member; null: none yet'),
  endpoint: z.string().nullable().describe('where this session is notified; null where a subscription is missing'),
  isOffered: z.boolean().describe('a message expired unread, and this browser has made no choice yet'),
})
export type PushState = z.output<typeof pushState>

/** Notifications of new messages while no page is open, by the push service of the browser. */
export const push = {
  get: endpoint({
    method: 'GET',
    path: '/api/push',
    guard: 'member',
    byItself: true,
    result: pushState,
    summary: 'Whether this browser is notified by its push service',
  }),
  subscribe: endpoint({
    method: 'PUT',
    path: '/api/push/subscription',
    guard: 'member',
    body: pushSubscription,
    result: nothing,
    errors: ['PUSH_FORBIDDEN', 'PUSH_SERVICE_REFUSED'],
    summary: 'Notify this session by a push service, until it ends; replaces its subscription',
  }),
  unsubscribe: endpoint({
    method: 'DELETE',
    path: '/api/push/subscription',
    guard: 'member',
    result: nothing,
    summary: 'Notify this session no longer, and offer it no more in this browser',
  }),
}
