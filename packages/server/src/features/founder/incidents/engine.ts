import type { IncidentType } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import {
  addSignals,
  createIncident,
  isOver,
  lastSeenOf,
  type OpenIncident,
  rankOf,
  dropOldEvents,
} from './openIncident.ts'
import { burstOf, type Condition, conditions, night } from './rules.ts'
import type { Signal } from './signals.ts'
import { createTrack, addToTrack, type Track } from './track.ts'

const hour = 60 * 60 * 1000
/** Shortest time between sweeps in a flood, which opens an incident with every few events. */
const sweepIntervalMs = 60 * 1000

/** Signals older than this cannot be part of an open incident. */
export const lookBackMs =
  limits.incidentOpen + 2 * Math.max(...(Object.keys(conditions) as IncidentType[]).map((type) => burstOf(type)))

/** Bounds memory: in a larger flood, the accounts and networks that were quiet for longest are dropped first. */
export interface Bounds {
  /** Signals kept to compare the next ones with. */
  signals: number
  /** Events of all open incidents together; an even share is more than any severity needs. */
  events: number
  incidents: number
}
const defaultBounds: Bounds = { signals: 200_000, events: 200_000, incidents: 1_000 }

export interface EngineOptions {
  /** Called when an incident opens, or flares up again after it was quiet for longer than its window. */
  onOpened: (incident: OpenIncident) => void
  /** The hour of a time in the server's time zone. */
  hourOf?: (at: number) => number
  bounds?: Bounds
}

export interface Engine {
  /** Idempotent: a known signal changes nothing. Signals may come in any order. */
  addSignal(signal: Signal, now: number): void
  /** The most severe first, then the newest. */
  list(now: number): OpenIncident[]
  find(id: string, now: number): OpenIncident | undefined
  /** The current use of memory, for tests. */
  memoryUse(): Bounds
}

const rules = (Object.keys(conditions) as IncidentType[]).flatMap((type) =>
  conditions[type].map((condition, index) => ({ type, condition, name: `${type}/${index}` })),
)

/** A browser that was offline reports hours later; the server's own signals are late only if its clock steps back. */
const maxLatenessMs = ({ signal }: Condition) => (signal === 'deterrent' ? limits.incidentOpen : hour)

/**
 * Applies the detection rules to a stream of events: each event costs constant time, and listing open incidents reads
 * no stored event.
 */
export function createEngine({
  onOpened,
  hourOf = (at) => new Date(at).getHours(),
  bounds = defaultBounds,
}: EngineOptions) {
  /** Least recently touched first. */
  const tracks = new Map<string, Track>()
  /** Least recently grown first. */
  const open = new Map<string, OpenIncident>()
  let signalCount = 0
  let eventCount = 0
  let sweptAt = 0

  function counts({ only }: Condition, signal: Signal): boolean {
    if (only === 'high severity') return signal.severity === 'high' || signal.severity === 'critical'
    if (only === 'at night') return hourOf(signal.at) >= night.from && hourOf(signal.at) < night.until
    return true
  }

  function recordSignal(key: string, signal: Signal, condition: Condition): Signal[] {
    const track = tracks.get(key) ?? createTrack()
    signalCount -= track.signals.length
    const found = addToTrack(track, signal, condition, maxLatenessMs(condition))
    signalCount += track.signals.length
    tracks.delete(key)
    tracks.set(key, track)
    return found
  }

  /** Drops a tenth at once, because finding the first entry of a Map after many deletions is slow. */
  function dropQuietestTracks(): void {
    for (const [key, track] of tracks) {
      if (signalCount <= bounds.signals * 0.9) return
      tracks.delete(key)
      signalCount -= track.signals.length
    }
  }

  function trimOpen(incident: OpenIncident, now: number, maxEvents?: number): void {
    eventCount -= incident.events.length
    dropOldEvents(incident, now, maxEvents)
    eventCount += incident.events.length
  }

  function drop({ id, events }: OpenIncident): void {
    if (open.delete(id)) eventCount -= events.length
  }

  /** Trims each incident to an even share, a tenth below the bound, so that the next event does not trim again. */
  function trimToShare(now: number): void {
    const maxEvents = Math.floor((bounds.events * 0.9) / open.size)
    for (const incident of open.values()) trimOpen(incident, now, maxEvents)
  }

  /** Drops one of the least severe incidents: the one that has not grown for longest. */
  function dropLeastSevere(): void {
    const least = Math.min(...[...open.values()].map(({ severity }) => rankOf(severity)))
    for (const incident of open.values()) if (rankOf(incident.severity) === least) return drop(incident)
  }

  function grow(id: string, type: IncidentType, by: OpenIncident['by'], found: readonly Signal[], now: number): void {
    const incident = open.get(id) ?? createIncident(id, type, by)
    const first = Math.min(...found.map(({ at }) => at))
    const isNew = lastSeenOf(incident) < first - burstOf(type)
    drop(incident)
    addSignals(incident, found)
    dropOldEvents(incident, now)
    if (isOver(incident, now)) return
    open.set(id, incident)
    eventCount += incident.events.length
    if (open.size > bounds.incidents && now >= sweptAt + sweepIntervalMs) sweep(now)
    if (open.size > bounds.incidents) dropLeastSevere()
    if (eventCount > bounds.events) trimToShare(now)
    if (isNew) onOpened(incident)
  }

  function sweep(now: number): void {
    sweptAt = now
    for (const incident of open.values()) {
      if (isOver(incident, now)) drop(incident)
      else trimOpen(incident, now)
    }
  }

  const engine: Engine = {
    addSignal(signal, now) {
      if (signal.at <= now - lookBackMs) return
      for (const { type, condition, name } of rules) {
        const subject = signal[condition.by]
        if (condition.signal !== signal.kind || subject === undefined || !counts(condition, signal)) continue
        const found = recordSignal(`${name}:${subject}`, signal, condition)
        if (found.length > 0) grow(`${type}:${condition.by}:${subject}`, type, condition.by, found, now)
      }
      if (signalCount > bounds.signals) dropQuietestTracks()
    },
    list(now) {
      sweep(now)
      return [...open.values()].sort(
        (one, other) => rankOf(other.severity) - rankOf(one.severity) || lastSeenOf(other) - lastSeenOf(one),
      )
    },
    find(id, now) {
      const incident = open.get(id)
      return incident === undefined || isOver(incident, now) ? undefined : incident
    },
    memoryUse: () => ({ signals: signalCount, events: eventCount, incidents: open.size }),
  }
  return engine
}
