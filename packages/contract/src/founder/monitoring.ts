import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { monitoringLimits } from './monitoringLimits.ts'
import { severity } from '../audit/securityEvents.ts'
import { count, id, time } from '../values.ts'

export const systemHealth = z.enum(['good', 'warning', 'critical'])
export type SystemHealth = z.output<typeof systemHealth>

/** Problems of the server's health: `database`, `objectStore` and `auditLog` make it critical, the others a warning. */
export const healthProblem = z.enum(['database', 'objectStore', 'auditLog', 'eventLoop', 'diskSpace'])
export type HealthProblem = z.output<typeof healthProblem>

export const recentEvent = z.object({
  id,
  severity,
  eventType: z.string().describe('in snake_case'),
  eventDescription: z.string().optional(),
  username: z.string().optional().describe('absent if the actor is unknown'),
  createdAt: time,
})
export type RecentEvent = z.output<typeof recentEvent>

export const realtimeStats = z.object({
  activeUsers: count.describe('users active in the last 15 minutes'),
  activeSessions: count.describe('sessions that are neither ended nor idle for too long'),
  messagesLast24h: count.describe('messages sent, including deleted ones; accurate to the minute'),
  connectionsLast24h: count.describe('connections created, including removed ones; accurate to the minute'),
  flaggedMessagesCount: count,
  lockedAccountsCount: count,
  systemHealth,
  healthProblems: z.array(healthProblem),
  recentEvents: z.array(recentEvent).max(monitoringLimits.recentEvents).describe('newest first'),
})
export type RealtimeStats = z.output<typeof realtimeStats>

const perMinute = z.array(count).length(monitoringLimits.rateMinutes)

export const messageRate = z.object({
  from: time.describe('start of the first minute; the last one is the current minute, which is incomplete'),
  messages: perMinute,
  flags: perMinute.describe('messages flagged or reported in that minute and not unflagged since'),
})
export type MessageRate = z.output<typeof messageRate>

export const userStats = z.object({
  totalUsers: count,
  activeUsers: count.describe('users who are neither suspended nor deactivated'),
  suspendedUsers: count,
  usersByRole: z.object({ super_admin: count, org_admin: count, user: count }),
})
export type UserStats = z.output<typeof userStats>

const polled = { method: 'GET', guard: 'founder', polled: true, byItself: true } as const

export const monitoring = {
  realtimeStats: endpoint({
    ...polled,
    path: '/api/founder/realtime-stats',
    result: realtimeStats,
    summary: 'Current activity, for the founder',
  }),
  messageRate: endpoint({
    ...polled,
    path: '/api/founder/message-rate',
    result: messageRate,
    summary: 'Messages sent and flagged in each minute of the last hour, for the founder',
  }),
  stats: endpoint({
    ...polled,
    path: '/api/founder/stats',
    result: userStats,
    summary: 'Number of users by state and role, for the founder',
  }),
}
