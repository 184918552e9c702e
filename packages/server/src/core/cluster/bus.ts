import type { EndReason } from '@privity/contract/events'
import type { IncidentType } from '@privity/contract/founder/incidents'
import type { Severity } from '@privity/contract/securityEvents'
import type { Stop } from '../clock.ts'
import type { FlagRule } from '../database/tables/security.ts'

/** Events within and between processes. An event is a hint: after a gap browsers load their data again. */
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
  /** A call failed with INTERNAL. Carries its route, never its path. */
  internalError: { route: string }
  /** Alerts wait to be sent. */
  alertQueued: object
  /** A scan or a recipient flagged a message. Carries nothing of its content. */
  messageFlagged: { rule: FlagRule; senderId: string }
  /** A message was stored. */
  messageStored: { recipientId: string; expiresAt: number }
  /** A push ended, or is tried again later. */
  pushAttempted: { outcome: PushOutcome }
  /** A connection, a file, or one user's authorization for a file is gone. */
  accessEnded: { connectionId: string } | { fileId: string; userId?: string }
  /** Signals for the detection rules were stored. */
  signalsStored: object
  /** A security incident opened, or became active again after a pause. */
  incidentOpened: OpenedIncident
  /** A key has used up a rule's window, counted over all processes; `left` is the rest of the window in ms. */
  rateUsedUp: { key: string; left: number }
  /**
   * Events of other processes may have been lost: caches are discarded, and open sockets and transfers are revalidated.
   * Repeated while the bus is not whole, and once more when it is again.
   */
  eventsLost: object
  /** Events were lost and arrive again: browsers should load their data again. */
  eventsRestored: object
}

/** `seen`: a page of the member was visible; `gone`: the subscription has ended; `refused`: it is not tried again. */
export type PushOutcome = 'delivered' | 'seen' | 'expired' | 'gone' | 'postponed' | 'refused'

/** An incident as alerts need it. */
export interface OpenedIncident {
  id: string
  type: IncidentType
  /** Whether its events share an account or a network. */
  by: 'account' | 'network'
  severity: Severity
  description: string
  userIds: readonly string[]
  addresses: readonly string[]
  eventCount: number
  lastSeen: number
}

export interface Bus {
  /** Delivers to this process at once, and to the other processes soon if the kind is one of `sharedEvents`. */
  publish<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  /** Delivers to this process only. */
  publishHere<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  subscribe<K extends keyof BusEvents>(kind: K, listener: (event: BusEvents[K]) => void): Stop
  /**
   * Whether events of every other process arrive promptly. While they do not, access that another process may have
   * revoked is checked in the database instead of a cache.
   */
  receivesAllEvents(): boolean
}

/** Sends events to the other processes. */
export interface Transport {
  send<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void
  receivesAllEvents(): boolean
}

/** Kinds that are sent to the other processes; all other kinds concern only the process in which they happen. */
export const sharedEvents = [
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
export type SharedEvent = (typeof sharedEvents)[number]
export const isSharedEvent = (kind: string): kind is SharedEvent => (sharedEvents as readonly string[]).includes(kind)

/** Creates the bus; without a transport, for a single process. */
export function createBus(transport?: Transport): Bus {
  const listeners: { [K in keyof BusEvents]: Set<(event: BusEvents[K]) => void> } = {
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
    messageStored: new Set(),
    pushAttempted: new Set(),
    accessEnded: new Set(),
    signalsStored: new Set(),
    incidentOpened: new Set(),
    rateUsedUp: new Set(),
    eventsLost: new Set(),
    eventsRestored: new Set(),
  }
  const publishHere: Bus['publishHere'] = (kind, event) => {
    const failures: unknown[] = []
    for (const listener of listeners[kind]) {
      try {
        listener(event)
      } catch (error) {
        failures.push(error)
      }
    }
    // Thrown last, so that a failing subscriber does not keep the event from the others.
    if (failures.length > 0) throw failures[0]
  }
  return {
    publishHere,
    publish(kind, event) {
      if (isSharedEvent(kind)) transport?.send(kind, event)
      publishHere(kind, event)
    },
    subscribe(kind, listener) {
      listeners[kind].add(listener)
      return () => void listeners[kind].delete(listener)
    },
    receivesAllEvents: () => transport?.receivesAllEvents() ?? true,
  }
}
