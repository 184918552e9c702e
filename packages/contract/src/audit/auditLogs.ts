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
const outside = z.object({ kind: z.literal('outside') }).describe('of another organization, of which nothing is shown')

export const auditActor = z.discriminatedUnion('kind', [
  person,
  deleted,
  outside,
  z.object({ kind: z.literal('server') }),
  z.object({ kind: z.literal('operator') }).describe('on the command line'),
  z.object({ kind: z.literal('founder') }),
])
export type AuditActor = z.output<typeof auditActor>

export const auditTarget = z.discriminatedUnion('kind', [person, deleted, outside])
export type AuditTarget = z.output<typeof auditTarget>

export const auditDetails = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const auditLogEntry = z.object({
  id: z.string().describe('the number of the entry in the log'),
  action: z.string().describe('in snake_case'),
  targetUserEmail: z.string().optional().describe('of a member of the organization who still exists'),
  performedBy: z.string().describe('to show, in English; `actor` has the same for other languages'),
  performedAt: time,
  details: auditDetails,
  actor: auditActor,
  target: auditTarget.optional().describe('absent where the entry is about no person'),
  address: z.string().optional().describe('for 90 days, of members of the organization only'),
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
      before: number.optional().describe('only those older than this one'),
      action: z
        .string()
        .regex(/^[a-z0-9_]{1,64}$/)
        .optional(),
      person: id.optional().describe('who did it, or to whom it was done'),
      from: z.coerce.number().pipe(time).optional(),
      to: z.coerce.number().pipe(time).optional().describe('up to this moment, without it'),
    }),
    result: z.array(auditLogEntry),
    summary: "What happened in one's organization, newest first; for its administrators",
  }),
  actions: endpoint({
    method: 'GET',
    path: '/api/audit-logs/actions',
    guard: 'administrator',
    byItself: true,
    result: z.array(z.string()),
    summary: "The actions that occur in one's organization's log, to choose from",
  }),
  createExport: endpoint({
    method: 'POST',
    path: '/api/audit-logs/exports',
    guard: 'administrator',
    limit: 'dataExport',
    query: z.object({
      format: auditExportFormat
        .default('jsonl')
        .describe('jsonl: as lines of JSON, with the proof; csv: for spreadsheets, without'),
    }),
    result: z.object({
      downloadURL: z.string().describe('single-use, valid for 15 minutes, for this session only'),
      name: z.string(),
    }),
    summary: "One's organization's log as a file that proves itself, or as a table for people",
  }),
}

/** GET, by the address that createExport gives: the file itself. */
export const auditExportPath = '/api/audit-logs/exports/:id'
