import { z } from 'zod'
import { connection, lifetime, party } from './connections/connections.ts'
import { authorizationRequest, fileStatus } from './files.ts'
import { epochKey } from './keys/keys.ts'
import { message, progress, filePath } from './messages/messages.ts'
import { notification } from './notifications.ts'
import { preferenceState } from './account/preferences.ts'
import type { Role } from './account/session.ts'
import { id, time } from './values.ts'

/** Frames from the browser. The first must be `authenticate` with the session's own user. */
export const clientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('authenticate'), userId: id }),
  z.object({ type: z.literal('received'), connectionId: id, seq: z.int().positive() }),
  z.object({ type: z.literal('ping') }),
  z
    .object({ type: z.literal('visibility'), isVisible: z.boolean() })
    .describe('whether the page is visible: no push is sent to a member who sees one'),
])
export type ClientFrame = z.output<typeof clientFrame>

/** Frames from the server. A notice is only a hint: after a reconnect, browsers load again. */
export const serverFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('authenticated'), socketId: id.describe('names this socket in POST /api/messages') }),
  z.object({ type: z.literal('pong'), now: time.describe('by the clock of the server') }),
  z.object({ type: z.literal('resync') }).describe('notices may have been lost: reload the data, as after a reconnect'),
  z.object({ type: z.literal('new_message'), message }),
  z.object({ type: z.literal('message_deleted'), message }),
  z.object({ type: z.literal('progress'), progress }),
  z.object({ type: z.literal('connection_created'), connection }),
  z.object({ type: z.literal('connection_removed'), connectionId: id }),
  z.object({ type: z.literal('lifetime_changed'), connectionId: id, lifetime, userId: id.describe('who set it') }),
  z.object({ type: z.literal('blocks_changed') }),
  z.object({ type: z.literal('requests_changed') }).describe('a request for a connection, to or by this user'),
  z.object({ type: z.literal('party_changed'), connectionId: id, party }),
  z
    .object({ type: z.literal('epoch_published'), epoch: epochKey })
    .describe("the first of one's own new epochs; of a contact's only if it is the one of this time"),
  z.object({ type: z.literal('keys_replaced'), userId: id }).describe('a contact has another identity key'),
  z.object({ type: z.literal('authorization_requested'), request: authorizationRequest }),
  z.object({ type: z.literal('authorization_changed'), filePath, status: fileStatus }),
  z.object({ type: z.literal('user_changed') }),
  z.object({ type: z.literal('preferences_changed'), ...preferenceState.shape }),
  z.object({ type: z.literal('sessions_changed') }),
  z.object({ type: z.literal('pins_changed') }),
  z.object({ type: z.literal('browsers_changed') }).describe('the list, an approval, or the mode'),
  z.object({ type: z.literal('second_factor_changed') }),
  z
    .object({ type: z.literal('organization_changed') })
    .describe('to administrators: users, policy or invitations of the organization changed'),
  z.object({ type: z.literal('notification'), notification }),
  z.object({ type: z.literal('notifications_changed') }).describe('some were read or removed'),
])
export type ServerFrame = z.output<typeof serverFrame>

/**
 * The reason in a close frame with `sessionEnded`, where an administrator or the founder ended the session, or the user
 * by removing its browser in another one. Sent only to the sockets of that session; any other end has an empty reason.
 */
export type EndReason =
  | 'deactivated'
  | 'suspended'
  | 'deleted'
  | 'second_factor_reset'
  | 'browser_removed_elsewhere'
  | `role_${Role}`

/** WebSocket close codes of ours. */
export const closeCodes = {
  notAuthenticated: 4001,
  sessionEnded: 4003,
  factorMissing: 4004,
  tooSlow: 4008,
  badFrame: 4009,
} as const

export const socketPath = '/ws'
