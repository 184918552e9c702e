import type { IncidentType } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { addTo, createIncident, isOver, lastSeenOf, type OpenIncident, rankOf, trim } from './openIncident.ts'
import { burstOf, type Condition, conditions, night } from './rules.ts'
import type { Signal } from './signals.ts'
import { createTrack, takeIn, type Track } from './track.ts'

const hour = 60 * 60 * 1000
/** Shortest time between sweeps in a flood, which opens an incident with every few events. */
const sweepEvery = 60 * 1000

/** Signals older than this cannot be part of an open incident. */
export const lookBack =
  limits.incidentOpen + 2 * Math.max(...(Object.keys(conditions) as IncidentType[]).map((type) => burstOf(type)))

/** Bounds of memory: in a flood from more addresses than this, the engine drops the quietest first. */
export interface Bounds {
  /** Signals kept to compare the next ones with. */
  signals: number
  /** Events of all open incidents together; an even share is more than any severity needs. */
  events: number
  incidents: number
}
const usual: Bounds = { signals: 200_000, events: 200_000, incidents: 1_000 }

export interface EngineOptions {
  /** Called when an incident opens, or flares up again after it was quiet for longer than its window. */
  onOpened: (incident: OpenIncident) => void
  /** The hour of a time in the server's time zone. */
  hourOf?: (at: number) => number
  bounds?: Bounds
}

export interface Engine {
  /** Idempotent: a known signal changes nothing. Signals may come in any order. */
  take(signal: Signal, now: number): void
  /** The most severe first, then the newest. */
  list(now: number): OpenIncident[]
  find(id: string, now: number): OpenIncident | undefined
  /** The current use of memory, so that tests can prove it is bounded. */
  held(): Bounds
}

const rules = (Object.keys(conditions) as IncidentType[]).flatMap((type) =>
  conditions[type].map((condition, at) => ({ type, condition, name: `${type}/${at}` })),
)

/**
 * Time (ms) by which a signal may be late: a browser that was offline reports hours later; the server's own clock steps
 * back by less.
 */
const lateOf = ({ signal }: Condition) => (signal === 'deterrent' ? limits.incidentOpen : hour)

/**
 * Applies the detection rules to a stream of events: each event costs constant time, and listing open incidents reads
 * no stored event.
 */
export function createEngine({ onOpened, hourOf = (at) => new Date(at).getHours(), bounds = usual }: EngineOptions) {
  /** Least recently touched first. */
  const tracks = new Map<string, Track>()
  /** Least recently grown first. */
  const open = new Map<string, OpenIncident>()
  let held = 0
  let heldOpen = 0
  let sweptAt = 0

  function counts({ only }: Condition, signal: Signal): boolean {
    if (only === 'high severity') return signal.severity === 'high' || signal.severity === 'critical'
    if (only === 'at night') return hourOf(signal.at) >= night.from && hourOf(signal.at) < night.until
    return true
  }

  function takeInTrack(key: string, signal: Signal, condition: Condition): Signal[] {
    const track = tracks.get(key) ?? createTrack()
    held -= track.signals.length
    const found = takeIn(track, signal, condition, lateOf(condition))
    held += track.signals.length
    tracks.delete(key)
    tracks.set(key, track)
    return found
  }

  /** Drops a tenth at once: finding the first entry of a Map after many deletions costs more than a deletion. */
  function forgetQuietest(): void {
    for (const [key, track] of tracks) {
      if (held <= bounds.signals * 0.9) return
      tracks.delete(key)
      held -= track.signals.length
    }
  }

  function trimOpen(incident: OpenIncident, now: number, most?: number): void {
    heldOpen -= incident.events.length
    trim(incident, now, most)
    heldOpen += incident.events.length
  }

  function drop({ id, events }: OpenIncident): void {
    if (open.delete(id)) heldOpen -= events.length
  }

  /** Trims each incident to an even share, a tenth below the bound, so that the next event does not trim again. */
  function shareOut(now: number): void {
    const most = Math.floor((bounds.events * 0.9) / open.size)
    for (const incident of open.values()) trimOpen(incident, now, most)
  }

  /** Drops one of the least severe incidents: the one that has not grown for longest. */
  function dropOne(): void {
    const least = Math.min(...[...open.values()].map(({ severity }) => rankOf(severity)))
    for (const incident of open.values()) if (rankOf(incident.severity) === least) return drop(incident)
  }

  function grow(id: string, type: IncidentType, by: OpenIncident['by'], found: readonly Signal[], now: number): void {
    const incident = open.get(id) ?? createIncident(id, type, by)
    const first = Math.min(...found.map(({ at }) => at))
    const isNew = lastSeenOf(incident) < first - burstOf(type)
    drop(incident)
    addTo(incident, found)
    trim(incident, now)
    if (isOver(incident, now)) return
    open.set(id, incident)
    heldOpen += incident.events.length
    if (open.size > bounds.incidents && now >= sweptAt + sweepEvery) sweep(now)
    if (open.size > bounds.incidents) dropOne()
    if (heldOpen > bounds.events) shareOut(now)
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
    take(signal, now) {
      if (signal.at <= now - lookBack) return
      for (const { type, condition, name } of rules) {
        const subject = signal[condition.by]
        if (condition.signal !== signal.kind || subject === undefined || !counts(condition, signal)) continue
        const found = takeInTrack(`${name}:${subject}`, signal, condition)
        if (found.length > 0) grow(`${type}:${condition.by}:${subject}`, type, condition.by, found, now)
      }
      if (held > bounds.signals) forgetQuietest()
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
    held: () => ({ signals: held, events: heldOpen, incidents: open.size }),
  }
  return engine
}
