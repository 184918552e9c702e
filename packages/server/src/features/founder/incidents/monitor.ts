import type { Core } from '../../../core/core.ts'
import { coalesce } from '../../../core/async/promises.ts'
import { createEngine, lookBack } from './engine.ts'
import { readOn, startOf } from './signalReader.ts'
import type { OpenIncident } from './openIncident.ts'
import type { Signal } from './signals.ts'
import { toOpened } from './descriptions.ts'
import type { Positions } from './queries.ts'

/** Applies the detection rules to the events that this server stores. */
export interface Monitor {
  /** Reads the events stored before the server started. */
  start(): void
  /** Open incidents, the most severe first, including everything stored before the call. */
  list(): Promise<OpenIncident[]>
  find(id: string): Promise<OpenIncident | undefined>
}

const interval = 60_000

/**
 * If several processes write, an event can become visible after one that was stored later, so the last `length` ms are
 * read again. Known events change nothing.
 */
function createOverlap(length: number) {
  const kept: { at: number; position: number }[] = []
  return {
    from: (now: number): number | undefined => {
      while (kept.length > 1 && (kept[1]?.at ?? now) <= now - length) kept.shift()
      return kept[0]?.position
    },
    keep: (at: number, position: number) => void (kept.at(-1)?.position === position || kept.push({ at, position })),
  }
}

/**
 * Follows the stored events from a little more than 24 hours before the start. The state is not stored: after a restart
 * it is computed again. Reads on whenever an event is stored, every minute, and on request.
 */
export function createMonitor({ background, db, bus, clock, processes }: Core): Monitor {
  const startedAt = clock.now()
  let isCatchingUp = true
  /** Incidents that opened before the start were published then. */
  let wasTold = true
  const engine = createEngine({
    onOpened: (incident) => !wasTold && bus.publish('incidentOpened', toOpened(incident)),
  })

  function take(signal: Signal): void {
    wasTold = isCatchingUp && signal.storedAt <= startedAt
    engine.take(signal, clock.now())
  }
  let positions: Positions | undefined
  let readAt = Number.NEGATIVE_INFINITY
  const overlaps = processes.id === undefined ? [] : [createOverlap(5_000), createOverlap(2 * interval)]

  async function read(): Promise<void> {
    positions ??= await startOf(db.read, clock.now() - lookBack)
    const now = clock.now()
    const [short, long] = overlaps
    const again = now - readAt >= interval ? long : short
    if (again === long) readAt = now
    const from = { ...positions, events: again?.from(now) ?? positions.events }
    positions = await readOn(db.read, from, take)
    for (const overlap of overlaps) overlap.keep(now, positions.events)
    isCatchingUp = false
  }

  const readNow = coalesce(read)
  const readSoon = () => background.run('the security incidents', readNow)
  bus.subscribe('signalsStored', readSoon)
  bus.subscribe('eventsLost', readSoon)
  clock.every(interval, readSoon)

  return {
    start: readSoon,
    async list() {
      await readNow()
      return engine.list(clock.now())
    },
    async find(id) {
      await readNow()
      return engine.find(id, clock.now())
    },
  }
}
