import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { id, nothing, time } from '../values.ts'

export const severity = z.enum(['low', 'medium', 'high', 'critical'])
export type Severity = z.output<typeof severity>

/** The events that a browser may report, with the allowed severities of each. */
export const reportable = {
  screenshot_attempt: ['high'],
  dev_tools_detected: ['high', 'medium'],
  print_attempt: ['medium'],
  copy_attempt: ['low'],
  right_click_blocked: ['low'],
  page_visibility_change: ['low'],
  suspicious_activity: ['low'],
} as const satisfies Record<string, readonly Severity[]>

const eventType = z.enum(Object.keys(reportable) as [keyof typeof reportable])
export type SecurityEventType = z.output<typeof eventType>

const fact = z.union([z.string().max(64), z.number(), z.boolean(), z.null()])

/** Flat and small: facts about the event, never what a person wrote, read or selected. */
const metadata = z
  .record(z.string().regex(/^[A-Za-z]\w{0,31}$/), fact)
  .refine((facts) => Object.keys(facts).length <= limits.securityEventFacts, 'Too many facts.')

export const reportedEvent = z
  .object({
    eventType,
    eventDescription: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^\P{C}*$/u),
    pageUrl: z
      .string()
      .max(2048)
      .regex(/^(https?:\/\/[\w.:[\]-]+)?\/([\w./-]{0,128})([?#].*)?$/)
      .describe('only the path is stored'),
    severity: severity.describe('must be one that the type allows'),
    metadata: metadata.default({}),
    sessionId: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .describe("identifies the browser tab; or 'unknown'"),
    id: id.optional().describe('chosen by the browser, so that an event sent again is stored once'),
    occurredAt: time.optional().describe("the browser's time, if the event was sent later"),
  })
  .refine(({ eventType, severity }) => (reportable[eventType] as readonly Severity[]).includes(severity), {
    path: ['severity'],
    message: 'This type of event does not have that severity.',
  })
export type ReportedEvent = z.output<typeof reportedEvent>

export const securityEvents = {
  report: endpoint({
    method: 'POST',
    path: '/api/security-audit',
    guard: 'member',
    body: reportedEvent,
    bodyBytes: 8 * 1024,
    result: nothing,
    summary: 'Report an event that a deterrent in the browser detected',
  }),
  reportMany: endpoint({
    method: 'POST',
    path: '/api/security-audit/batch',
    guard: 'member',
    body: z.object({ events: z.array(reportedEvent).min(1).max(limits.securityEventsBatch) }),
    result: nothing,
    summary: 'Report several events at once, for example after a lost connection; all are stored or none',
  }),
}
