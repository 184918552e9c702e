import type { IncidentType } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import type { Severity } from '@privity/contract/securityEvents'
import { burstOf, severities } from './rules.ts'
import { insertionIndex, type Signal } from './signals.ts'

/** Number of occurrences of each value. */
type Tally = Map<string, number>

/** The events that fulfilled the conditions of one type for one account or network, with their counts. */
export interface OpenIncident {
  readonly id: string
  readonly type: IncidentType
  /** Distinguishes the two coordinated attacks: on one account, or on many from one network. */
  readonly by: 'account' | 'network'
  /** Oldest first. */
  readonly events: Signal[]
  readonly users: Tally
  readonly addresses: Tally
  readonly accounts: Tally
  readonly networks: Tally
  highs: number
  severity: Severity
  /** Time of the newest event dropped because there were too many; undefined while none is missing. */
  cutAt: number | undefined
}

const ranks: readonly Severity[] = ['low', 'medium', 'high', 'critical']
export const rankOf = (severity: Severity): number => ranks.indexOf(severity)

export const createIncident = (id: string, type: IncidentType, by: OpenIncident['by']): OpenIncident => ({
  id,
  type,
  by,
  events: [],
  users: new Map(),
  addresses: new Map(),
  accounts: new Map(),
  networks: new Map(),
  highs: 0,
  severity: 'low',
  cutAt: undefined,
})

function count(tally: Tally, value: string | undefined, change: 1 | -1): void {
  if (value === undefined) return
  const counted = (tally.get(value) ?? 0) + change
  if (counted > 0) tally.set(value, counted)
  else tally.delete(value)
}

function countSignal(incident: OpenIncident, signal: Signal, change: 1 | -1): void {
  count(incident.users, signal.userId, change)
  count(incident.addresses, signal.address, change)
  count(incident.accounts, signal.account, change)
  count(incident.networks, signal.network, change)
  if (signal.severity === 'high') incident.highs += change
}

/** Depends on the counts alone; an attack on the founder's own account is one step more severe. */
function severityOf(incident: OpenIncident): Severity {
  const { type, events, accounts, networks, highs } = incident
  const counted = { events: events.length, breadth: Math.max(accounts.size, networks.size), highs }
  const reached = severities[type].flatMap(({ by, steps }) =>
    steps.filter(([from]) => counted[by] >= from).map(([, severity]) => rankOf(severity)),
  )
  const isAttack = type === 'brute_force_attack' || type === 'coordinated_attack'
  const raised = Math.max(0, ...reached) + (isAttack && accounts.has('founder') ? 1 : 0)
  return ranks[Math.min(raised, ranks.length - 1)] as Severity
}

/** Time (ms) for which events are kept: a whole burst is shown until the incident is over. */
const keepMs = ({ type }: OpenIncident) => limits.incidentOpen + burstOf(type)

/** Dropping events must not lower the severity: a flood would make an attack look harmless. */
function updateSeverity(incident: OpenIncident): void {
  const severity = severityOf(incident)
  if (incident.cutAt !== undefined && rankOf(severity) < rankOf(incident.severity)) return
  incident.severity = severity
}

/** Drops expired events, and the oldest of the rest beyond `maxEvents`. */
export function dropOldEvents(
  incident: OpenIncident,
  now: number,
  maxEvents: number = limits.incidentEventsCounted,
): void {
  const { events } = incident
  const before = now - keepMs(incident)
  let dropCount = Math.max(0, events.length - maxEvents)
  if (dropCount > 0) incident.cutAt = Math.max(incident.cutAt ?? 0, (events[dropCount - 1] as Signal).at)
  while (dropCount < events.length && (events[dropCount] as Signal).at <= before) dropCount++
  if (incident.cutAt !== undefined && incident.cutAt <= before) incident.cutAt = undefined
  else if (dropCount === 0) return
  for (const signal of events.splice(0, dropCount)) countSignal(incident, signal, -1)
  updateSeverity(incident)
}

export function addSignals(incident: OpenIncident, signals: readonly Signal[]): void {
  for (const signal of signals) {
    const index = insertionIndex(incident.events, signal)
    if (index === undefined) continue
    incident.events.splice(index, 0, signal)
    countSignal(incident, signal, 1)
  }
  updateSeverity(incident)
}

export const lastSeenOf = ({ events }: OpenIncident): number => events.at(-1)?.at ?? Number.NEGATIVE_INFINITY

export const isOver = (incident: OpenIncident, now: number): boolean =>
  lastSeenOf(incident) <= now - limits.incidentOpen
