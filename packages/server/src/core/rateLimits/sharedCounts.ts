import { createHmac, type KeyObject } from 'node:crypto'
import type { Bus } from '../cluster/bus.ts'
import type { Clock } from '../clock.ts'
import type { SharedCounts, Window } from './rateLimits.ts'
import type { Counted, Step } from '../cluster/valkey.ts'

interface Pending {
  by: number
  window: Window
  rule: { requests: number; window: number }
}

interface Dependencies {
  clock: Clock
  bus: Bus
  /** Valkey holds no address and no name: keys are told apart by it. */
  key: KeyObject
  prefix: string
  count(steps: readonly Step[]): Promise<Counted[] | undefined>
}

/** How long (ms) counts are gathered: so much, and the way there and back, a window may be exceeded by. */
export const gatherFor = 50
const mostAtOnce = 1_000

/**
 * Sums counts of all processes in Valkey. Each decides by what it knows at once; a key that is used up is told to all.
 * Where Valkey cannot be asked, each process counts for itself. Its answers can be anything: whoever has it can have
 * calls refused, but a process goes by its own count as well, which no answer touches (`rates.ts`).
 */
export function createSharedCounts({ clock, bus, key, prefix, count }: Dependencies): SharedCounts {
  let pending = new Map<string, Pending>()
  const nameOf = (of: string) => `${prefix}:rate:${createHmac('sha256', key).update(of).digest('base64url')}`

  /** What is given back of a count that is forgotten would be taken from the next. */
  const isTooLate = (by: number, window: Window) => by < 0 && window.endsAt <= clock.now()

  async function flush(): Promise<void> {
    const all = [...pending].filter(([, { by, window }]) => !isTooLate(by, window))
    pending = new Map()
    for (let at = 0; at < all.length; at += mostAtOnce) await sum(all.slice(at, at + mostAtOnce))
  }

  async function sum(some: readonly [string, Pending][]): Promise<void> {
    const before = some.map(([, { window }]) => window.count)
    const sums = await count(some.map(([of, { by, rule }]) => ({ key: nameOf(of), by, window: rule.window })))
    for (const [at, [of, { by, window, rule }]] of some.entries()) {
      const summed = sums?.[at]
      if (!Number.isSafeInteger(summed?.count) || !Number.isSafeInteger(summed?.left)) continue
      const { count: counted, left: given } = summed as Counted
      if (given < 0) continue
      const left = Math.min(given, rule.window)
      // What was counted here meanwhile comes on top.
      window.count = Math.max(0, counted + window.count - (before[at] as number))
      window.endsAt = clock.now() + left
      if (by > 0 && counted >= rule.requests && counted - by < rule.requests)
        bus.publish('rateUsedUp', { key: of, left })
    }
  }

  return {
    add(of, by, window, rule) {
      if (isTooLate(by, window)) return
      const known = pending.get(of)
      if (known !== undefined && !isTooLate(known.by, known.window))
        return void Object.assign(known, { by: known.by + by, window })
      if (known === undefined && pending.size === 0) clock.after(gatherFor, () => void flush())
      pending.set(of, { by, window, rule })
    },
  }
}
