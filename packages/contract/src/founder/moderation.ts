import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { identityKey } from '../keys/keys.ts'
import { limits } from '../limits.ts'
import { sealedReport } from '../messages/messageReports.ts'
import { base64url, count, id, nothing, pageSize, time } from '../values.ts'

/** The source of a flag: a rule of the scan, or the recipient's report. */
const flagRule = z.enum(['rapid', 'bulk', 'repeated', 'report'])

const person = z.object({ id, username: z.string(), firstName: z.string(), lastName: z.string() })

export const flaggedMessage = z.object({
  id,
  kind: z.enum(['automatic', 'report']).describe('flagged by a scan, or reported by its recipient'),
  content: z.literal('encrypted').describe("the content of a report can be decrypted only in the founder's browser"),
  flagReason: z.string(),
  flaggedAt: time,
  sender: person,
  messageId: id,
  sentAt: time,
  expiresAt: time.describe('when the flag expires'),
  reporter: person.optional().describe('the recipient who reported the message'),
})
export type FlaggedMessage = z.output<typeof flaggedMessage>

export const moderationStats = z.object({
  totalFlagged: count,
  rapidSending: count,
  bulkMessaging: count,
  repeatedContent: count,
})
export type ModerationStats = z.output<typeof moderationStats>

const report = z.object({
  keyId: id.describe("id of the founder's key that it is sealed to"),
  sealed: sealedReport,
  messageId: id,
  senderId: id,
  reporterId: id,
  sentAt: time,
  identityKey: identityKey.optional().describe("the sender's current identity key"),
})
export type SealedReport = z.output<typeof report>

const receiptClaim = z.object({
  commitment: base64url(32),
  from: id,
  to: id,
  messageId: id,
  createdAt: time,
  identityKey: identityKey.describe('the identity key that signed the message'),
  receipt: base64url(32),
})
export type ReceiptClaim = z.output<typeof receiptClaim>

const flag = z.object({ id })

export const moderation = {
  flagged: endpoint({
    method: 'GET',
    path: '/api/founder/flagged-messages',
    guard: 'founder',
    polled: true,
    byItself: true,
    query: z.object({
      limit: pageSize(limits.maxFlagsPage, limits.flagsPage),
      before: id.optional().describe('only flags older than this one'),
      rule: flagRule.optional().describe('only flags of this rule'),
    }),
    result: z.array(flaggedMessage),
    summary: 'Messages flagged by a scan or reported by their recipient, newest first',
  }),
  stats: endpoint({
    method: 'GET',
    path: '/api/founder/moderation-stats',
    guard: 'founder',
    polled: true,
    byItself: true,
    result: moderationStats,
    summary: 'Number of flagged messages, by reason',
  }),
  scan: endpoint({
    method: 'POST',
    path: '/api/founder/scan-messages',
    guard: 'founder',
    result: z.object({ flaggedCount: count.describe('newly flagged messages') }),
    summary: 'Scan metadata for rapid, bulk and repeated sending; no message is read',
  }),
  unflag: endpoint({
    method: 'DELETE',
    path: '/api/founder/flag-message/:id',
    guard: 'founder',
    params: flag,
    result: nothing,
    errors: ['FLAG_NOT_FOUND'],
    summary: 'Unflag a message and delete its report; it is not flagged again',
  }),
  unflagSeveral: endpoint({
    method: 'POST',
    path: '/api/founder/unflag-messages',
    guard: 'founder',
    weight: 8,
    body: z.object({ ids: z.array(id).min(1).max(limits.flagsTakenAtOnce) }),
    result: z.object({
      unflagged: z.array(id),
      failed: z
        .array(z.object({ id, code: z.literal('FLAG_NOT_FOUND') }))
        .describe('the flags that were not removed, and why'),
    }),
    summary: 'Unflag several messages at once; each leaves its own entry in the audit log',
  }),
  report: endpoint({
    method: 'GET',
    path: '/api/founder/flagged-messages/:id/report',
    guard: 'founder',
    writes: true,
    byItself: true,
    params: flag,
    query: z.object({
      view: z
        .enum(['list', 'full'])
        .default('list')
        .describe('where the words are shown; in a list, the audit log gets one entry per session'),
    }),
    result: report,
    errors: ['FLAG_NOT_FOUND'],
    summary: 'A sealed report; opening it leaves an entry in the audit log',
  }),
  checkReceipt: endpoint({
    method: 'POST',
    path: '/api/founder/check-receipt',
    guard: 'founder',
    byItself: true,
    body: receiptClaim,
    result: z.object({ valid: z.boolean() }),
    summary: 'Whether this server stored a message with this commitment, people and time under this identity key',
  }),
}
