import type { EndReason } from '@privity/contract/events'
import type { IncidentType } from '@privity/contract/founder/incidents'
import type { Severity } from '@privity/contract/securityEvents'
import type { Stop } from '../clock.ts'
import type { FlagRule } from '../database/tables/security.ts'

/** Notices between processes. A notice is a hint: after a gap browsers call the API again. */
export interface BusEvents {
  /** A frame, serialized once, for every socket of these users but `except`. */
  notice: { userIds: readonly string[]; frame: string; except?: string | undefined }
  sessionEnded: { sessionIds: readonly string[]; userId: string; reason?: EndReason | undefined }
  /** A session has a new token: its SHA-256. */
  sessionRenewed: { sessionId: string; tokenHash: string }
  /** Dates of these sessions lay in the future, and were set back. */
  sessionsRedated: { sessionIds: readonly string[] }
  /** A user lacks the second factor that the organization requires: the user's sockets are closed. */
  factorMissing: { userId: string }
  /** Milliseconds that the sessions of these users may stay unused. */
  idleLimitChanged: { userIds: readonly string[]; idleLimit: number }
  /** An organization's policy for its members changed. */
  policyChanged: { organizationId: string }
  /** A call was answered with INTERNAL: its route, never its address. */
  internalError: { route: string }
  /** Alerts wait to be sent. */
  alertQueued: object
  /** A scan or a recipient flagged a message; nothing of its content. */
  messageFlagged: { rule: FlagRule; senderId: string }
  /** A connection, a file, or one user's authorization for a file is gone. */
  accessEnded: { connectionId: string } | { fileId: string; userId?: string }
  /** Signals for the detection rules were stored. */
  signalsStored: object
  /** A security incident opened, or became active again after a pause. */
  incidentOpened: OpenedIncident
  /** A key has used up a rule's window, counted over all processes. */
  rateUsedUp: { key: string; left: number }
  /**
   * Notices of other processes may be lost: caches of the database are discarded, and open sockets and transfers are
   * checked again. Repeated while the bus is not whole, and once more when it is.
   */
  missed: object
  /** Notices were lost and arrive again from now on: browsers should load their data again. */
  healed: object
}

/** An incident as alerts need it. */
export interface OpenedIncident {
  id: string
  type: IncidentType
  /** The property that its events share: one account or one network. */
  by: 'account' | 'network'
  severity: Severity
  description: string
  userIds: readonly string[]
  addresses: readonly string[]
  eventCount: number
  lastSeen: number
}

export interface Bus {
  /** Delivers to this process at once, and to the other processes soon if the kind is `carried`. */
  publish<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  /** Delivers to this process only. */
  publishHere<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  subscribe<K extends keyof BusEvents>(kind: K, hear: (event: BusEvents[K]) => void): Stop
  /**
   * Whether notices of every other process arrive at once. While they do not, nothing that another process may have
   * ended is trusted from memory.
   */
  isWhole(): boolean
}

/** Sends notices to the other processes. */
export interface Transport {
  send<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  isWhole(): boolean
}

/** Kinds that are sent to other processes; the rest concerns only the process in which it happens. */
export const carried = [
  'notice',
  'sessionEnded',
  'sessionRenewed',
  'sessionsRedated',
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

/** Creates the bus; without a carrier, that of a single process. */
export function createBus(carrier?: Transport): Bus {
  const hearers: { [K in keyof BusEvents]: Set<(event: BusEvents[K]) => void> } = {
    notice: new Set(),
    sessionEnded: new Set(),
    sessionRenewed: new Set(),
    sessionsRedated: new Set(),
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
    // A failing subscriber does not keep the event from the other ones.
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
