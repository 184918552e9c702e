import type { IncidentType } from '@privity/contract/founder/incidents'
import type { Severity } from '@privity/contract/securityEvents'

const minute = 60_000
const hour = 60 * minute

/** What is counted: a failed proof of who one is, a new account, something a deterrent noticed, an act of power. */
export type SignalKind = 'failure' | 'signUp' | 'deterrent' | 'action'

/** When events with the same account or from the same network are an incident. */
export interface Condition {
  signal: SignalKind
  by: 'account' | 'network'
  counts: 'events' | 'accounts' | 'networks'
  atLeast: number
  /** Milliseconds between the first and the last of them, at most. */
  within: number
  only?: 'high severity' | 'at night'
}

/** The one table of what is an incident; docs/security-monitoring.md repeats it, and a test compares the two. */
export const conditions: Readonly<Record<IncidentType, readonly Condition[]>> = {
  brute_force_attack: [{ signal: 'failure', by: 'account', counts: 'events', atLeast: 5, within: 15 * minute }],
  coordinated_attack: [
    { signal: 'failure', by: 'network', counts: 'accounts', atLeast: 5, within: 15 * minute },
    { signal: 'failure', by: 'account', counts: 'networks', atLeast: 3, within: 15 * minute },
  ],
  unusual_activity_hours: [
    { signal: 'action', by: 'account', counts: 'events', atLeast: 1, within: 5 * hour, only: 'at night' },
  ],
  rapid_account_creation: [{ signal: 'signUp', by: 'network', counts: 'events', atLeast: 5, within: 10 * minute }],
  suspicious_user_behavior: [
    { signal: 'deterrent', by: 'account', counts: 'events', atLeast: 10, within: hour },
    { signal: 'deterrent', by: 'account', counts: 'events', atLeast: 3, within: hour, only: 'high severity' },
  ],
}

/** Hours of the server's own time zone: from the first, and before the second. */
export const night = { from: 0, until: 5 }

/** How grave an incident is, by what is counted of it; the first step is reached with the incident. */
export const severities: Readonly<
  Record<IncidentType, { by: 'events' | 'breadth' | 'highs'; steps: readonly (readonly [number, Severity])[] }[]>
> = {
  brute_force_attack: [
    {
      by: 'events',
      steps: [
        [5, 'medium'],
        [10, 'high'],
        [50, 'critical'],
      ],
    },
  ],
  coordinated_attack: [
    {
      by: 'breadth',
      steps: [
        [3, 'high'],
        [10, 'critical'],
      ],
    },
  ],
  unusual_activity_hours: [
    {
      by: 'events',
      steps: [
        [1, 'low'],
        [10, 'medium'],
      ],
    },
  ],
  rapid_account_creation: [
    {
      by: 'events',
      steps: [
        [5, 'medium'],
        [10, 'high'],
        [100, 'critical'],
      ],
    },
  ],
  suspicious_user_behavior: [
    {
      by: 'events',
      steps: [
        [3, 'medium'],
        [50, 'high'],
      ],
    },
    { by: 'highs', steps: [[3, 'high']] },
  ],
}

/** Within this time of each other, hot events of one subject are one burst. */
export const burstOf = (type: IncidentType): number => Math.max(...conditions[type].map(({ within }) => within))
