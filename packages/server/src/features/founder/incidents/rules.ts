import type { IncidentType } from '@privity/contract/founder/incidents'
import type { Severity } from '@privity/contract/securityEvents'

const minute = 60_000
const hour = 60 * minute

/**
 * The kinds of counted events: a failed proof of identity, a new account, a finding of a deterrent, an administrative
 * action.
 */
export type SignalKind = 'failure' | 'signUp' | 'deterrent' | 'action'

/** A condition under which events of one account or network are an incident. */
export interface Condition {
  signal: SignalKind
  by: 'account' | 'network'
  counts: 'events' | 'accounts' | 'networks'
  atLeast: number
  /** Longest time (ms) between the first and the last of them. */
  within: number
  only?: 'high severity' | 'at night'
}

/** The one definition of incidents; docs/security-monitoring.md repeats it, and a test compares the two. */
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

/** Hours in the server's time zone: `from` is included, `until` is not. */
export const night = { from: 0, until: 5 }

/** Severity of an incident by its counts; the first step is reached when it opens. */
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

/** Hot events of one subject within this time of each other form one burst. */
export const burstOf = (type: IncidentType): number => Math.max(...conditions[type].map(({ within }) => within))
