import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import { coalesce } from '../../../core/async/promises.ts'
import { createEngine, lookBackMs } from './engine.ts'
import { readSignals, findStart } from './signalReader.ts'
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

const readIntervalMs = 60_000

/**
 * If several processes write, an event can become visible after one that was stored later, so the last `length` ms are
 * read again. Known events change nothing.
 */
function createOverlap(length: number) {
  const readings: { at: number; position: number }[] = []
  return {
    from: (now: number): number | undefined => {
      while (readings.length > 1 && (readings[1]?.at ?? now) <= now - length) readings.shift()
      return readings[0]?.position
    },
    keep: (at: number, position: number) =>
      void (readings.at(-1)?.position === position || readings.push({ at, position })),
  }
}

/**
 * Follows the stored events, from a little more than 24 hours before the start. The state is computed anew after a
 * restart, and once the clock was set: events dated ahead would hide those of now. Reads whenever an event is stored,
 * every minute, and on request.
 */
export function createMonitor({ background, db, bus, clock, processes }: Core): Monitor {
  /** Whether incidents that open now were already published before the start. */
  let wasPublished = true
  const createState = () => ({
    startedAt: clock.now(),
    clockOffset: clock.now() - clock.even(),
    isCatchingUp: true,
    positions: undefined as Positions | undefined,
    readAt: Number.NEGATIVE_INFINITY,
    overlaps: processes.id === undefined ? [] : [createOverlap(5_000), createOverlap(2 * readIntervalMs)],
    engine: createEngine({
      onOpened: (incident) => !wasPublished && bus.publish('incidentOpened', toOpened(incident)),
    }),
  })
  let state = createState()

  async function read(): Promise<void> {
    if (Math.abs(clock.now() - clock.even() - state.clockOffset) > limits.clockTolerance) state = createState()
    const { startedAt, engine, overlaps } = state

    function addSignal(signal: Signal): void {
      const now = clock.now()
      if (signal.at > now + limits.clockTolerance) return
      wasPublished = state.isCatchingUp && signal.storedAt <= startedAt
      engine.addSignal(signal, now)
    }

    const now = clock.now()
    const positions = state.positions ?? (await findStart(db.read, now - lookBackMs))
    const [short, long] = overlaps
    const again = now - state.readAt >= readIntervalMs ? long : short
    if (again === long) state.readAt = now
    const from = { ...positions, events: again?.from(now) ?? positions.events }
    state.positions = await readSignals(db.read, from, addSignal)
    for (const overlap of overlaps) overlap.keep(now, state.positions.events)
    state.isCatchingUp = false
  }

  const readNow = coalesce(read)
  const readSoon = () => background.run('the security incidents', readNow)
  bus.subscribe('signalsStored', readSoon)
  bus.subscribe('eventsLost', readSoon)
  clock.every(readIntervalMs, readSoon)

  return {
    start: readSoon,
    async list() {
      await readNow()
      return state.engine.list(clock.now())
    },
    async find(id) {
      await readNow()
      return state.engine.find(id, clock.now())
    },
  }
}
