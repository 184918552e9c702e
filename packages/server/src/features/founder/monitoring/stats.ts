import {
  type MessageRate,
  monitoring,
  type RealtimeStats,
  type RecentEvent,
  type UserStats,
} from '@privity/contract/founder/monitoring'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../../../core/core.ts'
import {
  countSentLastDay,
  countSentPerMinute,
  deleteSentMinutes,
  firstMinute,
  minuteOf,
} from '../../../core/metrics/messagesPerMinute.ts'
import { healthWith, latestProblems } from '../../health/health.ts'
import { countLockedAccounts } from '../lockedAccounts.ts'
import { countFlagged, flagTimes } from '../moderation/flags.ts'
import {
  countActiveUsers,
  countConnections,
  countSessions,
  deleteConnectionMinutes,
  type RecentRow,
  selectPeople,
  selectRecentEvents,
} from './queries.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { implement } from '../../../core/http/implement.ts'

const toRecentEvent = (row: RecentRow): RecentEvent => ({
  id: row.id,
  severity: row.severity,
  eventType: row.event_type,
  eventDescription: row.event_description ?? undefined,
  username: row.username ?? undefined,
  createdAt: row.created_at,
})

/** Every number comes from an index or a counter, so the cost does not grow with the data. */
async function getRealtimeStats(core: Core): Promise<RealtimeStats> {
  const { clock, db, sessions } = core
  const now = clock.now()
  const activeSince = now - monitoringLimits.activeWindow
  const healthProblems = [...(await latestProblems(core))]
  return {
    activeUsers: await countActiveUsers(db.read, activeSince, sessions.unsavedUsers(activeSince)),
    activeSessions: await countSessions(db.read, now),
    messagesLast24h: await countSentLastDay(db.read, now),
    connectionsLast24h: await countConnections(db.read, firstMinute(now)),
    flaggedMessagesCount: await countFlagged(db.read, now),
    lockedAccountsCount: await countLockedAccounts(core),
    systemHealth: healthWith(healthProblems),
    healthProblems,
    recentEvents: (await selectRecentEvents(db.read, monitoringLimits.recentEvents)).map(toRecentEvent),
  }
}

/** Numbers per minute of the last hour, including the current minute. */
async function getMessageRate({ clock, db }: Core): Promise<MessageRate> {
  const now = clock.now()
  const { rateMinutes } = monitoringLimits
  const first = minuteOf(now) - rateMinutes + 1
  const flags = Array.from({ length: rateMinutes }, () => 0)
  for (const at of await flagTimes(db.read, first * 60_000, now)) {
    const minute = minuteOf(at) - first
    flags[minute] = (flags[minute] ?? 0) + 1
  }
  return {
    from: first * 60_000,
    messages: await countSentPerMinute(db.read, now, rateMinutes),
    flags: flags.slice(0, rateMinutes),
  }
}

async function getUserStats({ db }: Core): Promise<UserStats> {
  const rows = await selectPeople(db.read)
  const sum = (which: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(which).reduce((total, { users }) => total + users, 0)
  const ofRole = (role: (typeof rows)[number]['role']) => sum((row) => row.role === role)
  return {
    totalUsers: sum(() => true),
    activeUsers: sum((row) => row.suspended === 0 && row.is_active === 1),
    suspendedUsers: sum((row) => row.suspended === 1),
    usersByRole: { super_admin: ofRole('super_admin'), org_admin: ofRole('org_admin'), user: ofRole('user') },
  }
}

/** In a small deployment the counts per minute show when people talked, so they expire after a day, like messages. */
async function deleteOldMinutes({ clock, db }: Core): Promise<void> {
  const first = firstMinute(clock.now())
  await db.write(async (tx) => {
    await deleteConnectionMinutes(tx, first)
    await deleteSentMinutes(tx, first)
  })
}

export const monitoringJobs: Job[] = [
  { name: 'forget the numbers of old minutes', every: 60_000, run: deleteOldMinutes },
]

export function mountMonitoring(app: FastifyInstance, core: Core): void {
  implement(app, core, monitoring, {
    realtimeStats: () => getRealtimeStats(core),
    messageRate: () => getMessageRate(core),
    stats: () => getUserStats(core),
  })
}
