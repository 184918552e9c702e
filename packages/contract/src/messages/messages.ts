import { z } from 'zod'
import { lifetime } from '../connections/connections.ts'
import { endpoint } from '../endpoint.ts'
import { filePathOf, idSource } from '../fileRef.ts'
import { grant } from '../grant.ts'
import { sealed, signature } from '../keys/keys.ts'
import { limits } from '../limits.ts'
import { sealedMessageLengths } from './sealedMessage.ts'
import { base64url, id, nothing, pageSize, time } from '../values.ts'

/** The conversation key of one sender for a pair of epochs, sealed to both parties. */
export const envelope = z.object({
  id,
  connectionId: id,
  from: id,
  to: id,
  epochFrom: z.int().min(1),
  epochTo: z.int().min(1),
  sealedForRecipient: base64url(1120 + 32 + 16),
  sealedForSender: base64url(1120 + 32 + 16),
  signature,
})
export type Envelope = z.output<typeof envelope>

const [shortest, longest] = sealedMessageLengths as [number, number]
export const sealedContent = z.string().min(shortest).max(longest)

export const filePath = z.string().regex(new RegExp(`^${filePathOf(idSource)}$`))

export const messageType = z.enum(['text', 'file'])

export const deletion = base64url(4 + 64).describe(
  "the message's number under its envelope, and the sender's signature",
)

export const message = z.object({
  id,
  connectionId: id,
  seq: z.int().positive().describe('1, 2, 3 … within the connection; never reused'),
  senderId: id,
  sender: z.object({ firstName: z.string(), lastName: z.string() }),
  content: sealedContent.describe('sealed message, base64url'),
  messageType,
  fileName: sealed.optional().describe('the name, sealed for the owner'),
  fileSize: z.int().nonnegative().optional().describe('ciphertext bytes'),
  filePath: filePath.optional(),
  fileKey: sealed.optional().describe('the file key, sealed for the owner; present for the owner only'),
  createdAt: time,
  expiresAt: time,
  receipt: base64url(32).describe('HMAC by the server, for reports'),
  envelope: envelope.optional().describe('with the first message in a response that uses it'),
  deletion: deletion
    .optional()
    .describe('present once its sender has deleted it; of `content` only ids and seal are left'),
})
export type Message = z.output<typeof message>

/** The response to a send, without the content and the envelope, which the sender has. */
export const sentMessage = message.omit({ content: true, envelope: true })
export type SentMessage = z.output<typeof sentMessage>

/** How far a party has received and read a connection, by sequence number. */
export const progress = z.object({
  connectionId: id,
  userId: id,
  deliveredSeq: z.int().nonnegative(),
  readSeq: z
    .int()
    .nonnegative()
    .optional()
    .describe("without the contact's while either participant has read receipts switched off"),
})
export type MessageProgress = z.output<typeof progress>

const inConnection = z.object({ id })

export const messages = {
  list: endpoint({
    method: 'GET',
    path: '/api/connections/:id/messages',
    guard: 'member',
    params: inConnection,
    query: z.object({
      limit: pageSize(limits.maxMessagesPage, limits.messagesPage),
      before: z.coerce.number().int().positive().optional().describe('only messages with a smaller seq'),
      after: z.coerce.number().int().nonnegative().optional().describe('only messages with a larger seq, oldest first'),
    }),
    result: z.array(message),
    errors: ['CONNECTION_NOT_FOUND'],
    summary: 'The newest messages that have not expired, oldest first',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/messages',
    guard: 'member',
    limit: 'send',
    body: z.object({
      connectionId: id,
      content: z.string().max(longest),
      messageType: messageType.default('text'),
      fileName: sealed.optional(),
      fileSize: z.int().nonnegative().optional(),
      filePath: filePath.optional(),
      fileKey: sealed.optional(),
      lifetime: lifetime.optional().describe('as sealed in the message; refused where the conversation has another'),
      grant: grant.optional().describe('approves the file for the recipient at once; only with a file'),
      envelope: envelope.optional().describe('required if the server does not have it yet'),
      repetition: base64url(32).optional().describe('tag of a text that the sender repeats; see docs/protocol.md'),
      socketId: id.optional().describe("the sender's socket, which is not notified: it has the response"),
    }),
    result: sentMessage,
    status: 201,
    otherStatus: { status: 200, when: 'The same message was stored before' },
    errors: [
      'CONNECTION_NOT_FOUND',
      'PEER_UNAVAILABLE',
      'MESSAGE_NOT_SEALED',
      'MESSAGE_NOT_SIGNED',
      'MESSAGE_ID_TAKEN',
      'ENVELOPE_UNKNOWN',
      'ENVELOPE_INVALID',
      'ENVELOPE_OUTDATED',
      'LIFETIME_CHANGED',
      'EPOCH_SUPERSEDED',
      'FILE_NOT_FOUND',
      'FILE_IN_USE',
      'STORAGE_FULL',
    ],
    summary: 'Store a sealed message; the same message sent again is stored once',
  }),
  delete: endpoint({
    method: 'POST',
    path: '/api/messages/:id/delete',
    guard: 'member',
    params: z.object({ id }),
    body: z.object({ deletion: deletion.describe('signed by the identity key of the sender; see docs/protocol.md') }),
    result: message,
    errors: ['MESSAGE_NOT_FOUND', 'NO_KEYS'],
    summary: "Delete one's own message and its file for both sides; what is left says that it was deleted",
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/api/connections/:id/messages/read',
    guard: 'member',
    unlogged: true,
    params: inConnection,
    result: nothing,
    errors: ['CONNECTION_NOT_FOUND'],
    summary: 'Mark everything received in this connection as read',
  }),
  unreadCounts: endpoint({
    method: 'GET',
    path: '/api/unread-counts',
    guard: 'member',
    polled: true,
    byItself: true,
    result: z.array(z.object({ connectionId: id, count: z.int().positive() })),
    summary: 'Number of unread messages in each connection that has some',
  }),
  progress: endpoint({
    method: 'GET',
    path: '/api/connections/:id/messages/progress',
    guard: 'member',
    params: inConnection,
    result: z.array(progress),
    errors: ['CONNECTION_NOT_FOUND'],
    summary: 'Up to which message both participants have received and read',
  }),
}
