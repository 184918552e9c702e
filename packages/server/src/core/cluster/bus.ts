import type { EndReason } from '@privity/contract/events'
import type { IncidentType } from '@privity/contract/founder/incidents'
import type { Severity } from '@privity/contract/securityEvents'
import type { Stop } from '../clock.ts'
import type { FlagRule } from '../database/tables/moderation.ts'

/** What processes tell each other. A notice is a hint: browsers ask the calls again after a gap. */
export interface BusEvents {
  /** A frame, serialized once, for every socket of these users but `except`. */
  notice: { userIds: readonly string[]; frame: string; except?: string | undefined }
  sessionEnded: { sessionIds: readonly string[]; userId: string; reason?: EndReason | undefined }
  /** A session has another token: its SHA-256. */
  sessionRenewed: { sessionId: string; tokenHash: string }
  /** A user has no second factor although his organization requires one: his sockets end. */
  factorMissing: { userId: string }
  /** How long the sessions of these users may lie unused, in milliseconds. */
  idleLimitChanged: { userIds: readonly string[]; idleLimit: number }
  /** What an organization asks of its members. */
  policyChanged: { organizationId: string }
  /** A call was answered with INTERNAL: its route, never its address. */
  internalError: { route: string }
  /** Alerts wait to be sent. */
  alertQueued: object
  /** A message was flagged by a scan, or reported; nothing of what it says. */
  messageFlagged: { rule: FlagRule; senderId: string }
  /** A connection, a file, or one user's approval for a file is gone. */
  accessEnded: { connectionId: string } | { fileId: string; userId?: string }
  /** What the detection rules look at was stored. */
  signalsStored: object
  /** A security incident opened, or flared up again after a pause. */
  incidentOpened: OpenedIncident
  /** A key has used its window of a rule up, in all processes together. */
  rateUsedUp: { key: string; left: number }
  /**
   * Notices of other processes may not have arrived: what is remembered of the database is asked again, and what is
   * open is looked at. Comes again and again while the bus is not whole, and once more when it is.
   */
  missed: object
  /** Notices were lost, and are heard again from now on: browsers should ask. */
  healed: object
}

/** An incident as those hear of it who send alerts. */
export interface OpenedIncident {
  id: string
  type: IncidentType
  /** Whether one account or one network is what its events have in common. */
  by: 'account' | 'network'
  severity: Severity
  description: string
  userIds: readonly string[]
  addresses: readonly string[]
  eventCount: number
  lastSeen: number
}

export interface Bus {
  /** Heard in this process at once, and soon in the others by what concerns them. */
  publish<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  /** Heard in this process alone. */
  publishHere<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  subscribe<K extends keyof BusEvents>(kind: K, hear: (event: BusEvents[K]) => void): Stop
  /**
   * Whether what any other process publishes is heard here at once. While it is not, nothing that another process may
   * have ended is trusted from memory.
   */
  isWhole(): boolean
}

/** What carries notices to the other processes. */
export interface Carrier {
  send<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  isWhole(): boolean
}

/** What other processes must hear of; the rest is about the process in which it happened. */
export const carried = [
  'notice',
  'sessionEnded',
  'sessionRenewed',
  'factorMissing',
  'idleLimitChanged',
  'policyChanged',
  'alertQueued',
  'accessEnded',
  'signalsStored',
  'rateUsedUp',
] as const satisfies readonly (keyof BusEvents)[]
export type Carried = (typeof carried)[number]
export const isCarried = (kind: string): kind is Carried => (carried as readonly string[]).includes(kind)

/** Without a carrier the bus of a single process. */
export function createBus(carrier?: Carrier): Bus {
  const hearers: { [K in keyof BusEvents]: Set<(event: BusEvents[K]) => void> } = {
    notice: new Set(),
    sessionEnded: new Set(),
    sessionRenewed: new Set(),
    idleLimitChanged: new Set(),
    factorMissing: new Set(),
    policyChanged: new Set(),
    internalError: new Set(),
    alertQueued: new Set(),
    messageFlagged: new Set(),
    accessEnded: new Set(),
    signalsStored: new Set(),
    incidentOpened: new Set(),
    rateUsedUp: new Set(),
    missed: new Set(),
    healed: new Set(),
  }
  const publishHere: Bus['publishHere'] = (kind, event) => {
    const failures: unknown[] = []
    for (const hear of hearers[kind]) {
      try {
        hear(event)
      } catch (error) {
        failures.push(error)
      }
    }
    // One that fails keeps it from no other.
    if (failures.length > 0) throw failures[0]
  }
  return {
    publishHere,
    publish(kind, event) {
      if (isCarried(kind)) carrier?.send(kind, event)
      publishHere(kind, event)
    },
    subscribe(kind, hear) {
      hearers[kind].add(hear)
      return () => void hearers[kind].delete(hear)
    },
    isWhole: () => carrier?.isWhole() ?? true,
  }
}
