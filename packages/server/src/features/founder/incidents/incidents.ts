import type { Incident, SecurityDashboard } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Acknowledged } from './acknowledgements.ts'
import { lastSeenOf, type OpenIncident } from './openIncident.ts'
import { selectUsernames } from './queries.ts'
import { describe } from './descriptions.ts'

const firstOf = (values: readonly (string | undefined)[]) =>
  [...new Set(values)].filter((value) => value !== undefined).slice(0, limits.incidentAffectedListed)

/** The users and addresses that a response lists, in order of appearance. */
export const affectedBy = (incident: OpenIncident) => ({
  userIds: firstOf(incident.events.map(({ userId }) => userId)),
  addresses: firstOf(incident.events.map(({ address }) => address)),
})

async function namesOf({ db, config }: Core, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await selectUsernames(db.read, ids)
  return new Map([...rows.map(({ id, username }) => [id, username] as const), ['founder', config.founder.username]])
}

export async function toIncidents(
  core: Core,
  open: readonly OpenIncident[],
  acknowledged: Acknowledged,
): Promise<Incident[]> {
  const isListedLast = ({ id }: OpenIncident) => Number(acknowledged.has(id))
  const ordered = open.toSorted((one, other) => isListedLast(one) - isListedLast(other))
  const listed = ordered.slice(0, limits.incidentsListed)
  const names = await namesOf(core, [...new Set(listed.flatMap((incident) => affectedBy(incident).userIds))])
  return listed.map((incident) => {
    const { userIds, addresses } = affectedBy(incident)
    return {
      id: incident.id,
      type: incident.type,
      severity: incident.severity,
      description: describe(incident),
      affectedUsers: userIds.map((id) => ({ id, username: names.get(id) ?? null })),
      affectedUserCount: incident.users.size,
      affectedIPs: addresses,
      affectedIPCount: incident.addresses.size,
      eventCount: incident.events.length,
      isCountCut: incident.cutAt !== undefined,
      firstSeen: incident.events[0]?.at ?? lastSeenOf(incident),
      lastSeen: lastSeenOf(incident),
      acknowledgement: acknowledged.get(incident.id),
    }
  })
}

export function toDashboard(all: readonly OpenIncident[], acknowledged: Acknowledged): SecurityDashboard {
  const open = all.filter(({ id }) => !acknowledged.has(id))
  const severityCounts = { critical: 0, high: 0, medium: 0, low: 0 }
  const summaryStats = { bruteForceCount: 0, coordinatedAttackCount: 0 }
  for (const { severity, type, events } of open) {
    severityCounts[severity] += 1
    if (type === 'brute_force_attack') summaryStats.bruteForceCount += events.length
    if (type === 'coordinated_attack') summaryStats.coordinatedAttackCount += 1
  }
  return {
    threatLevel: open[0]?.severity ?? 'low',
    severityCounts,
    acknowledgedCount: all.length - open.length,
    summaryStats,
  }
}
