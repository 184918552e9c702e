import { networkOf } from '../../../src/core/rateLimits/rateLimits.ts'
import { createEngine, type EngineOptions } from '../../../src/features/founder/incidents/engine.ts'
import { lastSeenOf, type OpenIncident } from '../../../src/features/founder/incidents/openIncident.ts'
import type { SignalKind } from '../../../src/features/founder/incidents/rules.ts'
import type { Signal } from '../../../src/features/founder/incidents/signals.ts'

let made = 0

/** Creates a signal at noon plus `at` milliseconds, with a new event id each time. */
export function signal(
  kind: SignalKind,
  at: number,
  { account = 'amara', address = '203.0.113.7', severity = 'low' as Signal['severity'] } = {},
): Signal {
  made += 1
  return {
    kind,
    id: `event-${String(made).padStart(8, '0')}`,
    at: noon + at,
    storedAt: noon + at,
    account,
    userId: account,
    address,
    network: networkOf(address),
    severity,
  }
}

/** In the server's time zone. */
export const noon = new Date(2026, 0, 15, 12).getTime()

/** The comparable facts of an incident, without the engine's internal state. */
export const factsOf = (incident: OpenIncident) => ({
  id: incident.id,
  type: incident.type,
  severity: incident.severity,
  events: incident.events.map(({ id }) => id),
  users: [...incident.users.keys()].sort(),
  addresses: [...incident.addresses.keys()].sort(),
  lastSeen: lastSeenOf(incident),
})

export function run(signals: readonly Signal[], options: Partial<EngineOptions> = {}, now?: number) {
  const opened: OpenIncident[] = []
  const engine = createEngine({ onOpened: (incident) => opened.push(incident), ...options })
  for (const one of signals) engine.addSignal(one, now ?? one.at)
  const last = now ?? Math.max(noon, ...signals.map(({ at }) => at))
  return { engine, opened, incidents: engine.list(last), now: last }
}

/** Seeded, so that a failure can be reproduced. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
