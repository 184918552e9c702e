import { createHmac, type KeyObject } from 'node:crypto'
import type { Bus } from '../cluster/bus.ts'
import type { Clock } from '../clock.ts'
import type { SharedCounts, Window } from './rateLimits.ts'
import type { CounterValue, CounterIncrement } from '../cluster/valkey.ts'

interface Pending {
  by: number
  window: Window
  rule: { requests: number; window: number }
}

interface Dependencies {
  clock: Clock
  bus: Bus
  /** Hashes the keys, so that Valkey holds no address and no name. */
  key: KeyObject
  prefix: string
  count(steps: readonly CounterIncrement[]): Promise<CounterValue[] | undefined>
}

/**
 * Counts are collected for this long (ms), then sent. Until the sums are back, processes do not know each other's
 * counts, so together they may exceed a limit.
 */
export const collectIntervalMs = 50
const batchSize = 1_000

/**
 * Sums the counts of all processes in Valkey. Each process decides at once by the counts it knows; a used-up key is
 * published to all. While Valkey is unavailable, each process counts for itself. Valkey's results are not trusted: an
 * attacker in control of it can have calls refused, but a process also goes by its own count, which no result changes
 * (rateLimits.ts).
 */
export function createSharedCounts({ clock, bus, key, prefix, count }: Dependencies): SharedCounts {
  let pending = new Map<string, Pending>()
  const hashedKey = (name: string) => `${prefix}:rate:${createHmac('sha256', key).update(name).digest('base64url')}`

  /** Whether it is a decrement for an expired window, which would lower the count of the window after it. */
  const isTooLate = (by: number, window: Window) => by < 0 && window.endsAt <= clock.now()

  async function flush(): Promise<void> {
    const all = [...pending].filter(([, { by, window }]) => !isTooLate(by, window))
    pending = new Map()
    for (let i = 0; i < all.length; i += batchSize) await sum(all.slice(i, i + batchSize))
  }

  async function sum(batch: readonly [string, Pending][]): Promise<void> {
    const before = batch.map(([, { window }]) => window.count)
    const sums = await count(batch.map(([name, { by, rule }]) => ({ key: hashedKey(name), by, window: rule.window })))
    for (const [i, [name, { by, window, rule }]] of batch.entries()) {
      const counted = sums?.[i]
      if (!Number.isSafeInteger(counted?.count) || !Number.isSafeInteger(counted?.remainingMs)) continue
      const { count: total, remainingMs: remaining } = counted as CounterValue
      if (remaining < 0) continue
      const left = Math.min(remaining, rule.window)
      // Adds the calls counted here meanwhile.
      window.count = Math.max(0, total + window.count - (before[i] as number))
      window.endsAt = clock.now() + left
      if (by > 0 && total >= rule.requests && total - by < rule.requests) bus.publish('rateUsedUp', { key: name, left })
    }
  }

  return {
    add(name, by, window, rule) {
      if (isTooLate(by, window)) return
      const known = pending.get(name)
      if (known !== undefined && !isTooLate(known.by, known.window))
        return void Object.assign(known, { by: known.by + by, window })
      if (known === undefined && pending.size === 0) clock.after(collectIntervalMs, () => void flush())
      pending.set(name, { by, window, rule })
    },
  }
}
