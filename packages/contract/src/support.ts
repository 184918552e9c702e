import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { id, plainLine, time } from './values.ts'

const supportCategory = z.enum(['general', 'account', 'connections', 'messages', 'files', 'security'])
export type SupportCategory = z.output<typeof supportCategory>

const supportPriority = z.enum(['low', 'normal', 'high', 'urgent'])
export type SupportPriority = z.output<typeof supportPriority>

const withoutNul = (text: string) => !text.includes('\0')
const subject = plainLine(limits.supportSubjectCharacters)
const message = z.string().trim().min(1).max(limits.supportMessageCharacters).refine(withoutNul)

/** A support request as its author sees it. */
export const supportRequest = z.object({
  id,
  reference: z.string().describe('PR-ABCD-2345, to quote in a conversation about the request'),
  subject: z.string(),
  category: supportCategory,
  message: z.string(),
  priority: supportPriority,
  state: z.enum(['open', 'closed']),
  createdAt: time,
})
export type SupportRequest = z.output<typeof supportRequest>

const supportDraft = z.object({
  id: id.optional().describe('chosen by the browser, so that a request sent again is stored once'),
  subject,
  category: supportCategory,
  message,
  priority: supportPriority.default('normal'),
})
export type SupportDraft = z.input<typeof supportDraft>

export const support = {
  list: endpoint({
    method: 'GET',
    path: '/api/support-requests',
    guard: 'member',
    result: z.array(supportRequest),
    summary: "The caller's support requests, newest first",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/support-requests',
    guard: 'member',
    body: supportDraft,
    result: supportRequest,
    status: 201,
    summary: 'Ask for support; the text is not end-to-end encrypted',
  }),
}
