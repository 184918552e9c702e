import { z } from 'zod'
import { reportable, type SecurityEventType } from '../audit/securityEvents.ts'

/** GET, with the query below: the file itself, named by its content-disposition. */
export const platformExportPath = '/api/founder/audit-logs/export'

export const exportEventTypes = Object.keys(reportable) as [SecurityEventType]

/** The sentences of the refusals; the first is the specification's. */
export const exportProblems = {
  datesMissing: 'Please select both start and end dates.',
  order: 'The end date is before the start date.',
  range: 'Please select dates between the years 2000 and 2100.',
  other: 'Some of the information sent is not valid.',
} as const

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform((text) => Date.parse(text))

export const exportQuery = z.object({
  format: z.enum(['csv', 'json']),
  startDate: z.string().default('').pipe(moment),
  endDate: z.string().default('').pipe(moment),
  eventType: z.enum(['all', ...exportEventTypes]).optional(),
})

export interface ExportRange {
  format: 'csv' | 'json'
  startDate: number
  endDate: number
  /** null: all events, and the audit log. */
  eventType: SecurityEventType | null
}

const [earliest, latest] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)]

/** The query, or the sentence that refuses it. */
export function readExportRange(given: unknown): ExportRange | string {
  const { startDate: start, endDate: end } = (given ?? {}) as Record<string, unknown>
  if ([start, end].some((date) => date === undefined || date === '')) return exportProblems.datesMissing
  const parsed = exportQuery.safeParse(given)
  if (!parsed.success) return exportProblems.other
  const { format, startDate, endDate, eventType } = parsed.data
  if (startDate < earliest || endDate > latest) return exportProblems.range
  if (endDate < startDate) return exportProblems.order
  return { format, startDate, endDate, eventType: eventType === 'all' ? null : (eventType ?? null) }
}
