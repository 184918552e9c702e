import { createSecretKey, randomBytes } from 'node:crypto'
import { rateLimits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { type Bus, createBus } from '../../../src/core/cluster/bus.ts'
import { createRates } from '../../../src/core/rateLimits/rateLimits.ts'
import { createSharedCounts, collectIntervalMs } from '../../../src/core/rateLimits/sharedCounts.ts'
import type { CounterValue, CounterIncrement } from '../../../src/core/cluster/valkey.ts'
import { createFakeClock, type FakeClock } from '../../support/server/fakeClock.ts'

const key = createSecretKey(randomBytes(32))
const { requests, window } = rateLimits.send

/** Sums as Valkey keeps them; `isUp` simulates whether it is reachable. */
function createSums(clock: FakeClock) {
  const sums = new Map<string, { count: number; endsAt: number }>()
  const asked: string[] = []
  const state: { isUp: boolean; lie?: (truth: CounterValue) => CounterValue } = { isUp: true }
  return {
    asked,
    lose: () => sums.clear(),
    all: () => [...sums.values()].map(({ count }) => count),
    state,
    async count(steps: readonly CounterIncrement[]) {
      if (!state.isUp) return undefined
      return steps.map(({ key: name, by, window: length }) => {
        asked.push(name)
        const known = sums.get(name)
        const sum =
          known === undefined || known.endsAt <= clock.now() ? { count: 0, endsAt: clock.now() + length } : known
        sum.count += by
        sums.set(name, sum)
        const truth = { count: sum.count, remainingMs: sum.endsAt - clock.now() }
        return state.lie?.(truth) ?? truth
      })
    },
  }
}

function createProcesses() {
  const clock = createFakeClock()
  const sums = createSums(clock)
  const buses: Bus[] = []
  const join = () => {
    const bus = createBus({
      receivesAllEvents: () => true,
      send: (kind, event) => buses.forEach((other) => other === bus || other.publishHere(kind, event)),
    })
    buses.push(bus)
    const shared = createSharedCounts({ clock, bus, key, prefix: 'privity:test', count: sums.count })
    const rates = createRates(clock, {}, shared)
    bus.subscribe('rateUsedUp', (used) => rates.markUsedUp(used.key, used.left))
    return rates
  }
  const gathered = async () => {
    clock.advance(collectIntervalMs)
    for (let turns = 0; turns < 5; turns++) await Promise.resolve()
  }
  return { clock, sums, one: join(), two: join(), gathered }
}

const refuses = (take: () => unknown) => expect(take).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))

test("processes learn each other's counts a moment later, and of a used-up window at once", async () => {
  const { clock, one, two, gathered } = createProcesses()
  for (let n = 0; n < requests - 10; n++) one.take('send', 'anna')
  await gathered()
  for (let n = 0; n < 10; n++) two.take('send', 'anna')
  await gathered()
  refuses(() => one.take('send', 'anna'))
  refuses(() => two.take('send', 'anna'))
  refuses(() => two.check('send', 'anna'))
  one.take('send', 'ben')
  clock.advance(window)
  one.take('send', 'anna')
  two.take('send', 'anna')
})

test('what is given back is given back for all, and failures alone use a window up', async () => {
  const { one, two, gathered } = createProcesses()
  for (let n = 0; n < 3 * requests; n++) {
    const giveBack = (n % 2 === 0 ? one : two).take('send', 'anna')
    giveBack()
    if (n % 7 === 0) await gathered()
  }
  await gathered()
  for (let n = 0; n < requests; n++) (n % 2 === 0 ? one : two).take('send', 'anna')
  await gathered()
  refuses(() => one.take('send', 'anna'))
  refuses(() => two.take('send', 'anna'))
})

test('while Valkey cannot be asked each process counts for itself', async () => {
  const { sums, one, two, gathered } = createProcesses()
  sums.state.isUp = false
  for (const rates of [one, two]) {
    for (let n = 0; n < requests; n++) rates.take('send', 'anna')
    refuses(() => rates.take('send', 'anna'))
  }
  await gathered()
  refuses(() => one.take('send', 'anna'))
  refuses(() => two.take('send', 'anna'))
})

test('Valkey is told no account and no address', async () => {
  const { sums, one, gathered } = createProcesses()
  one.take('signIn', '203.0.113.7')
  one.take('send', '0198c0de-0000-7000-8000-000000000000')
  await gathered()
  expect(sums.asked).toHaveLength(2)
  expect(sums.asked.join()).not.toMatch(/203\.0|0198c0de/)
})

test('a key that nobody has, of a newer process, changes nothing', () => {
  const { one } = createProcesses()
  expect(() => one.markUsedUp('from the future/anna', 1_000)).not.toThrow()
  expect(() => one.markUsedUp('no rule', 1_000)).not.toThrow()
})

test('what is given back after its window has ended is not taken from the next one', async () => {
  const { clock, sums, one, two, gathered } = createProcesses()
  const late = one.take('send', 'anna')
  const later = two.take('send', 'anna')
  await gathered()
  clock.advance(window - 1)
  late()
  clock.advance(1)
  later()
  one.take('send', 'anna')
  await gathered()
  expect(sums.all()).toEqual([1])
  for (let n = 1; n < requests; n++) two.take('send', 'anna')
  await gathered()
  refuses(() => one.take('send', 'anna'))
})

test.each<[string, (truth: CounterValue) => CounterValue]>([
  ['nothing was counted', (truth) => ({ ...truth, count: 0 })],
  ['far less than nothing', (truth) => ({ ...truth, count: -1_000_000 })],
  ['no number', () => ({ count: Number.NaN, remainingMs: Number.NaN })],
  ['no number of counts', (truth) => ({ ...truth, count: Number.NaN })],
  ['a time that is no number', (truth) => ({ ...truth, remainingMs: Number.NaN })],
  ['a window that has ended', () => ({ count: 0, remainingMs: 0 })],
  ['a window that ends later than it could', () => ({ count: 0, remainingMs: 10 * window })],
  ['a window that never ends', () => ({ count: 0, remainingMs: Number.POSITIVE_INFINITY })],
])('no answer lowers what a process has counted itself: %s', async (_what, lie) => {
  const { clock, sums, one, gathered } = createProcesses()
  sums.state.lie = lie
  for (let n = 0; n < requests; n++) {
    one.take('send', 'anna')
    if (n % 5 === 4) await gathered()
  }
  await gathered()
  refuses(() => one.take('send', 'anna'))
  refuses(() => one.check('send', 'anna'))
  clock.advance(window)
  one.take('send', 'anna')
})

test('counts that Valkey loses again and again are kept by each process for itself', async () => {
  const { sums, one, gathered } = createProcesses()
  for (let n = 0; n < requests; n++) {
    one.take('send', 'anna')
    if (n % 5 !== 4) continue
    await gathered()
    sums.lose()
  }
  await gathered()
  refuses(() => one.take('send', 'anna'))
})

test('a count that somebody has filled refuses for one window, and no longer', async () => {
  const { clock, sums, one, gathered } = createProcesses()
  sums.state.lie = () => ({ count: 1_000_000, remainingMs: 100 * window })
  one.take('send', 'anna')
  await gathered()
  expect(() => one.take('send', 'anna')).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', retryAfter: window / 1000 }),
  )
  clock.advance(window)
  one.take('send', 'anna')
})
