import { limits } from '@privity/contract/limits'
import type { Clock } from './clock.ts'
import { createStore, type Store } from './store.ts'

/** Beyond this (ms) half of the way says nothing. */
const mostElapsed = 10_000

/** A clock that was set, or a device that slept, moves its two clocks apart by more than this (ms). */
export const mostDrift = 5_000

/** For a device that sleeps or is set again while the server is asked. */
const attempts = 3

/** The server's time, whatever the device's clock says and becomes. */
export interface ServerClock extends Clock {
  /** Asks the server. */
  correct(): Promise<void>
  /** Asks the server again where the device's clocks have moved apart since. */
  check(): void
  /** Asks the server again where a date that it has just given contradicts the time: its clock may have been set. */
  confirm(given: number): Promise<void>
  /**
   * Whether it is the server's time for certain: not before the server was asked, nor while it is, nor while the device's clocks
   * have moved apart. Nothing is destroyed by another time.
   */
  isSure(): boolean
}

/** `ask` gives the server's time; `moved` hears by how much (ms) the time that was told before is another one now. */
export function createServerClock(
  clock: Clock,
  deps: { ask(): Promise<number>; moved(by: number): void },
): ServerClock {
  const steady = () => clock.steady?.() ?? clock.now()
  /** The wall clock less the steady one: another one once the wall clock was set, or the steady one stood still. */
  const apart = () => clock.now() - steady()
  let offset = apart()
  let lead: number | undefined
  let isUnanswered = false
  let asking = 0
  let checking = false
  let confirming: Promise<void> | undefined

  function isSure(): boolean {
    return asking === 0 && lead !== undefined && Math.abs(apart() - lead) <= mostDrift
  }

  function now(): number {
    const time = steady() + offset
    if (lead === undefined) return clock.now()
    // Who cannot ask has most likely slept: the steady clock of some systems does too.
    return Math.round(isUnanswered && !isSure() ? time + Math.max(apart() - lead, 0) : time)
  }

  /** Whether it was right all the way: a device that slept or was set meanwhile must ask again. */
  async function ask(): Promise<boolean> {
    const [asked, before] = [steady(), apart()]
    const server = await deps.ask()
    const [answered, after] = [steady(), apart()]
    const isEven = Math.abs(after - before) <= mostDrift
    const elapsed = answered - asked + (isEven ? 0 : Math.max(after - before, 0))
    // The server's time is now between these two; a device that slept meanwhile makes them far apart.
    const behind = server - answered
    const ahead = behind + elapsed
    if (offset < behind || offset > ahead) offset = elapsed < mostElapsed ? behind + elapsed / 2 : behind
    lead = after
    return isEven
  }

  async function correct(): Promise<void> {
    const told = { steady: steady(), now: now() }
    asking++
    try {
      let attempt = 1
      while (!(await ask()) && attempt < attempts) attempt++
      isUnanswered = false
    } catch (error) {
      isUnanswered = true
      throw error
    } finally {
      asking--
      deps.moved(now() - told.now - (steady() - told.steady))
    }
  }

  return {
    now,
    after: (ms, run) => clock.after(ms, run),
    isSure,
    correct,
    check() {
      if (lead === undefined || checking || isSure()) return
      checking = true
      correct()
        .catch(() => {})
        .finally(() => (checking = false))
    },
    async confirm(given) {
      if (Math.abs(given - now()) <= limits.clockTolerance) return
      confirming ??= correct()
        .catch(() => {})
        .finally(() => (confirming = undefined))
      await confirming
    },
  }
}

/** The server's time and the lifetime of its messages, as it tells them together. */
export interface ServerTime {
  clock: ServerClock
  /** How long a message lives on this server (ms): no longer than the product says, whatever the server does. */
  retention(): number
  /** Whether the server's clock was more than 10 minutes from the device's when it was last asked. */
  differs: Store<boolean>
}

export function createServerTime(
  device: Clock,
  deps: { ask(): Promise<{ now: number; retention: number }>; moved(by: number): void },
): ServerTime {
  let retention: number = limits.retention
  const differs = createStore(false)
  const clock = createServerClock(device, {
    async ask() {
      const told = await deps.ask()
      retention = Math.min(told.retention, limits.retention)
      return told.now
    },
    moved(by) {
      differs.set(Math.abs(clock.now() - device.now()) > limits.clockWarning)
      deps.moved(by)
    },
  })
  return { clock, retention: () => retention, differs }
}
