import { z } from 'zod'
import { auditActor, auditDetails, auditTarget } from '../audit/auditLogs.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { severity } from '../audit/securityEvents.ts'
import { count, nothing, pageSize, time } from '../values.ts'

export const incidentType = z.enum([
  'brute_force_attack',
  'coordinated_attack',
  'unusual_activity_hours',
  'rapid_account_creation',
  'suspicious_user_behavior',
])
export type IncidentType = z.output<typeof incidentType>

export const affectedUser = z.object({
  id: z.string(),
  username: z.string().nullable().describe('null where the account was deleted'),
})
export type AffectedUser = z.output<typeof affectedUser>

/** The founder has looked at an incident. */
export const acknowledgement = z.object({
  by: z.string().describe("the founder's username"),
  device: z.string().describe('the browser it was done in'),
  at: time,
  note: z.string().optional(),
})
export type Acknowledgement = z.output<typeof acknowledgement>

export const incident = z.object({
  id: z.string().describe('the same for as long as the incident is open'),
  type: incidentType,
  severity,
  description: z.string(),
  affectedUsers: z.array(affectedUser).describe(`the first ${limits.incidentAffectedListed}`),
  affectedUserCount: count,
  affectedIPs: z.array(z.string()).describe(`the first ${limits.incidentAffectedListed}`),
  affectedIPCount: count,
  eventCount: count.describe(`up to ${limits.incidentEventsCounted}, in a flood less: nobody counts further`),
  isCountCut: z.boolean().describe('there were more events than are counted'),
  firstSeen: time,
  lastSeen: time.describe('24 hours after it the incident is over'),
  acknowledgement: acknowledgement
    .optional()
    .describe('holds until the incident becomes graver, or flares up again after it had been quiet'),
})
export type Incident = z.output<typeof incident>

export const securityDashboard = z.object({
  threatLevel: severity.describe('the highest of an open incident that is not acknowledged; low where there is none'),
  severityCounts: z
    .object({ critical: count, high: count, medium: count, low: count })
    .describe('of the open incidents that are not acknowledged'),
  acknowledgedCount: count.describe('of the open incidents that are'),
  summaryStats: z.object({
    bruteForceCount: count.describe('attempts in all brute force attacks together'),
    coordinatedAttackCount: count.describe('coordinated attacks'),
  }),
})
export type SecurityDashboard = z.output<typeof securityDashboard>

/** An entry of the audit log, or a security event, which has a severity. */
export const relatedEntry = z.object({
  id: z.string().describe('given back as `before` for what is older'),
  action: z.string().describe('in snake_case'),
  severity: severity.optional(),
  performedAt: time,
  performedBy: z.string().describe('to show, in English'),
  targetUserEmail: z.string().optional(),
  actor: z.union([auditActor, z.object({ kind: z.literal('unknown') })]),
  target: z.union([auditTarget, z.object({ kind: z.literal('founder') })]).optional(),
  address: z.string().optional(),
  details: auditDetails,
})
export type RelatedEntry = z.output<typeof relatedEntry>

const incidentId = z.string().min(1).max(256)

export const incidents = {
  list: endpoint({
    method: 'GET',
    path: '/api/founder/security-incidents',
    guard: 'founder',
    polled: true,
    byItself: true,
    result: z.array(incident),
    summary: 'The open security incidents, the gravest first; those that are acknowledged after the others',
  }),
  dashboard: endpoint({
    method: 'GET',
    path: '/api/founder/security-dashboard',
    guard: 'founder',
    polled: true,
    byItself: true,
    result: securityDashboard,
    summary: 'How grave the open security incidents are, taken together',
  }),
  acknowledge: endpoint({
    method: 'PUT',
    path: '/api/founder/incident-acknowledgement',
    guard: 'founder',
    body: z.object({
      incident: incidentId,
      note: z.string().trim().max(limits.incidentNoteCharacters).default('').describe('sealed at rest'),
    }),
    result: acknowledgement,
    errors: ['INCIDENT_OVER', 'INCIDENT_ACKNOWLEDGED'],
    summary:
      'Say that an open incident was looked at: it is counted out of the open ones; of several at once one is kept',
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/founder/incident-acknowledgement',
    guard: 'founder',
    query: z.object({ incident: incidentId }),
    result: nothing,
    errors: ['INCIDENT_OVER'],
    summary: 'Take the acknowledgement of an open incident back; fine where there is none',
  }),
  related: endpoint({
    method: 'GET',
    path: '/api/founder/audit-logs',
    guard: 'founder',
    query: z.object({
      incident: incidentId,
      before: z
        .string()
        .regex(/^\d{1,15}\.[ae]\.[\w-]{1,64}$/)
        .optional()
        .describe('only those older than this entry'),
      limit: pageSize(limits.maxAuditLogsPage, limits.auditLogsPage),
    }),
    result: z.array(relatedEntry),
    errors: ['INCIDENT_OVER'],
    summary: 'What was recorded of the users and addresses of an incident around its time, in all organizations',
  }),
}
