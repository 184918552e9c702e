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
  username: z.string().nullable().describe('null if the account was deleted'),
})
export type AffectedUser = z.output<typeof affectedUser>

/** The founder has looked at an incident. */
export const acknowledgement = z.object({
  by: z.string().describe("the founder's username"),
  device: z.string().describe('browser of the acknowledgement'),
  at: time,
  note: z.string().optional(),
})
export type Acknowledgement = z.output<typeof acknowledgement>

export const incident = z.object({
  id: z.string().describe('stays the same while the incident is open'),
  type: incidentType,
  severity,
  description: z.string(),
  affectedUsers: z.array(affectedUser).describe(`the first ${limits.incidentAffectedListed}`),
  affectedUserCount: count,
  affectedIPs: z.array(z.string()).describe(`the first ${limits.incidentAffectedListed}`),
  affectedIPCount: count,
  eventCount: count.describe(`counted up to ${limits.incidentEventsCounted}, or fewer in a flood`),
  isCountCut: z.boolean().describe('whether there were more events than counted'),
  firstSeen: time,
  lastSeen: time.describe('time of the last event; the incident is over 24 hours later'),
  acknowledgement: acknowledgement
    .optional()
    .describe('valid until the incident becomes more severe, or active again after a pause'),
})
export type Incident = z.output<typeof incident>

export const securityDashboard = z.object({
  threatLevel: severity.describe(
    'highest severity among open incidents that are not acknowledged; low if there is none',
  ),
  severityCounts: z
    .object({ critical: count, high: count, medium: count, low: count })
    .describe('counts of the open incidents that are not acknowledged'),
  acknowledgedCount: count.describe('number of open incidents that are acknowledged'),
  summaryStats: z.object({
    bruteForceCount: count.describe('attempts in all brute-force attacks together'),
    coordinatedAttackCount: count.describe('coordinated attacks'),
  }),
})
export type SecurityDashboard = z.output<typeof securityDashboard>

/** An entry of the audit log, or a security event, which has a severity. */
export const relatedEntry = z.object({
  id: z.string().describe('pass as `before` for older entries'),
  action: z.string().describe('in snake_case'),
  severity: severity.optional(),
  performedAt: time,
  performedBy: z.string().describe('display text in English'),
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
    summary: 'The open security incidents, most severe first; acknowledged ones last',
  }),
  dashboard: endpoint({
    method: 'GET',
    path: '/api/founder/security-dashboard',
    guard: 'founder',
    polled: true,
    byItself: true,
    result: securityDashboard,
    summary: 'The overall threat level of the open security incidents',
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
    summary: 'Acknowledge an open incident, which then no longer counts; of several at once, one is kept',
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/founder/incident-acknowledgement',
    guard: 'founder',
    query: z.object({ incident: incidentId }),
    result: nothing,
    errors: ['INCIDENT_OVER'],
    summary: 'Withdraw the acknowledgement of an open incident; may be repeated',
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
        .describe('only entries older than this one'),
      limit: pageSize(limits.maxAuditLogsPage, limits.auditLogsPage),
    }),
    result: z.array(relatedEntry),
    errors: ['INCIDENT_OVER'],
    summary:
      "Audit log entries and events about an incident's users and addresses around its time, in all organizations",
  }),
}
