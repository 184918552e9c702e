import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { id, pageSize, time } from '../values.ts'

const person = z.object({
  kind: z.literal('member'),
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
})
const deleted = z.object({ kind: z.literal('deleted'), id })
const outside = z
  .object({ kind: z.literal('outside') })
  .describe('belongs to another organization, so nothing is shown')

export const auditActor = z.discriminatedUnion('kind', [
  person,
  deleted,
  outside,
  z.object({ kind: z.literal('server') }),
  z.object({ kind: z.literal('operator') }).describe('the operator, on the command line'),
  z.object({ kind: z.literal('founder') }),
])
export type AuditActor = z.output<typeof auditActor>

export const auditTarget = z.discriminatedUnion('kind', [person, deleted, outside])
export type AuditTarget = z.output<typeof auditTarget>

export const auditDetails = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const auditLogEntry = z.object({
  id: z.string().describe('sequence number of the entry in the log'),
  action: z.string().describe('in snake_case'),
  targetUserEmail: z.string().optional().describe('present for existing members of the organization'),
  performedBy: z.string().describe('display text in English; `actor` has the same facts for other languages'),
  performedAt: time,
  details: auditDetails,
  actor: auditActor,
  target: auditTarget.optional().describe('absent if the entry is not about a person'),
  address: z.string().optional().describe('kept for 90 days; for members of the organization only'),
})
export type AuditLogEntry = z.output<typeof auditLogEntry>

export const auditExportFormat = z.enum(['jsonl', 'csv'])
export type AuditExportFormat = z.output<typeof auditExportFormat>

const number = z.string().regex(/^[1-9]\d{0,14}$/)

export const auditLogs = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit-logs',
    guard: 'administrator',
    polled: true,
    byItself: true,
    query: z.object({
      limit: pageSize(limits.maxAuditLogsPage, limits.auditLogsPage),
      before: number.optional().describe('only entries older than this one'),
      action: z
        .string()
        .regex(/^[a-z0-9_]{1,64}$/)
        .optional(),
      person: id.optional().describe('the actor or the target'),
      from: z.coerce.number().pipe(time).optional(),
      to: z.coerce.number().pipe(time).optional().describe('entries before this time'),
    }),
    result: z.array(auditLogEntry),
    summary: "The audit log of the caller's organization, newest first; for administrators",
  }),
  actions: endpoint({
    method: 'GET',
    path: '/api/audit-logs/actions',
    guard: 'administrator',
    byItself: true,
    result: z.array(z.string()),
    summary: "The actions that occur in the organization's audit log, for filters",
  }),
  createExport: endpoint({
    method: 'POST',
    path: '/api/audit-logs/exports',
    guard: 'administrator',
    limit: 'dataExport',
    query: z.object({
      format: auditExportFormat
        .default('jsonl')
        .describe('jsonl: lines of JSON with the proof; csv: a spreadsheet without it'),
    }),
    result: z.object({
      downloadURL: z.string().describe('single-use; valid for 15 minutes and for this session only'),
      name: z.string(),
    }),
    summary: "Export the organization's audit log: with its proof, or as a spreadsheet",
  }),
}

/** GET, by the address that createExport gives: the file itself. */
export const auditExportPath = '/api/audit-logs/exports/:id'
