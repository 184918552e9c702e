import { limits } from '@privity/contract/limits'
import type { Clock } from './clock.ts'
import { createStore, type Store } from './store.ts'

/** Beyond this round trip, half of it is no usable estimate. */
const maxRoundTripMs = 10_000

/** If wall clock and monotonic clock drift apart by more than this, one was set or the device slept. */
export const maxDriftMs = 5_000

/** Requests for one synchronization: the device may sleep, or its clock be set, during any of them. */
const maxAttempts = 3

/** The server's time, whatever the device's clock says and becomes. */
export interface ServerClock extends Clock {
  /** Sets this clock by the server's. */
  synchronize(): Promise<void>
  /** Synchronizes again if the device's clocks have drifted apart since. */
  check(): void
  /** Synchronizes again if a time in a response contradicts this clock: the server's clock may have been set. */
  confirm(time: number): Promise<void>
  /**
   * Whether this is certainly the server's time: false before and during a synchronization, and while the device's
   * clocks have drifted apart. Nothing is destroyed without it.
   */
  isSynchronized(): boolean
  /** This clock minus the device's (ms). */
  correction(): number
}

/** A server's clock that can go on from that of another page, until the server can be asked. */
export interface ResumableClock extends ServerClock {
  resume(time: number): void
}

/** `ask` returns the server's time; `onCorrection` gets the correction of this clock (ms). */
export function createServerClock(
  clock: Clock,
  deps: { ask(): Promise<number>; onCorrection(correctionMs: number): void },
): ResumableClock {
  const steady = () => clock.steady?.() ?? clock.now()
  /** The wall clock minus the monotonic one: it changes when the wall clock is set or the monotonic one stood still. */
  const difference = () => clock.now() - steady()
  let offset = difference()
  let synchronizedDifference: number | undefined
  let isUnanswered = false
  let isResumed = false
  let pendingRequests = 0
  let isChecking = false
  let confirming: Promise<void> | undefined

  function isSynchronized(): boolean {
    return (
      pendingRequests === 0 &&
      !isResumed &&
      synchronizedDifference !== undefined &&
      Math.abs(difference() - synchronizedDifference) <= maxDriftMs
    )
  }

  function now(): number {
    const now = steady() + offset
    if (synchronizedDifference === undefined) return clock.now()
    // After a failed request, a drift means most likely that the device slept and the monotonic clock stopped.
    return Math.round(
      isUnanswered && !isSynchronized() ? now + Math.max(difference() - synchronizedDifference, 0) : now,
    )
  }

  /** Corrects `offset` by one request. Returns false if the clocks drifted apart meanwhile, so it must be repeated. */
  async function ask(): Promise<boolean> {
    const [sentAt, before] = [steady(), difference()]
    const server = await deps.ask()
    const [receivedAt, after] = [steady(), difference()]
    const isEven = Math.abs(after - before) <= maxDriftMs
    const elapsed = receivedAt - sentAt + (isEven ? 0 : Math.max(after - before, 0))
    // Bounds of the offset: the server read its clock during the request. A sleep meanwhile makes them far apart.
    const min = server - receivedAt
    const max = min + elapsed
    if (offset < min || offset > max) offset = elapsed < maxRoundTripMs ? min + elapsed / 2 : min
    synchronizedDifference = after
    return isEven
  }

  async function synchronize(): Promise<void> {
    const start = { steady: steady(), now: now() }
    pendingRequests++
    try {
      let attempt = 1
      while (!(await ask()) && attempt < maxAttempts) attempt++
      isUnanswered = isResumed = false
    } catch (error) {
      isUnanswered = true
      throw error
    } finally {
      pendingRequests--
      deps.onCorrection(now() - start.now - (steady() - start.steady))
    }
  }

  return {
    now,
    steady,
    after: (ms, run) => clock.after(ms, run),
    isSynchronized,
    correction: () => now() - clock.now(),
    synchronize,
    resume(time) {
      offset = time - steady()
      synchronizedDifference = difference()
      isUnanswered = isResumed = true
    },
    check() {
      if (synchronizedDifference === undefined || isChecking || isSynchronized()) return
      isChecking = true
      synchronize()
        .catch(() => {})
        .finally(() => (isChecking = false))
    },
    async confirm(time) {
      if (Math.abs(time - now()) <= limits.clockTolerance) return
      confirming ??= synchronize()
        .catch(() => {})
        .finally(() => (confirming = undefined))
      await confirming
    },
  }
}

/** The server's time and message lifetime, which one call returns. */
export interface ServerTime {
  clock: ServerClock
  /** How long a message lives on this server (ms): never longer than the product promises. */
  retention(): number
  /** Whether the server's clock was more than 10 minutes from the device's when it was last asked. */
  differs: Store<boolean>
  /** Goes on from what a page has asked, until the server can be asked. */
  resume(known: { now: number; retention: number }): void
  /** Sets the clock by the server's, unless it goes on from another page. */
  prepare(): Promise<void>
}

export function createServerTime(
  device: Clock,
  deps: { ask(): Promise<{ now: number; retention: number }>; onCorrection(correctionMs: number): void },
): ServerTime {
  let retention: number = limits.retention
  let isResumed = false
  const differs = createStore(false)
  const clock = createServerClock(device, {
    async ask() {
      const response = await deps.ask()
      isResumed = false
      retention = Math.min(response.retention, limits.retention)
      return response.now
    },
    onCorrection(correctionMs) {
      differs.set(Math.abs(clock.now() - device.now()) > limits.clockWarning)
      deps.onCorrection(correctionMs)
    },
  })
  return {
    clock,
    retention: () => retention,
    differs,
    resume(known) {
      retention = known.retention
      clock.resume(known.now)
      isResumed = true
    },
    prepare: async () => (isResumed ? undefined : clock.synchronize()),
  }
}
