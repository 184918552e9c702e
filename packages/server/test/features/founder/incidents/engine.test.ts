import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { lookBackMs } from '../../../../src/features/founder/incidents/engine.ts'
import type { OpenIncident } from '../../../../src/features/founder/incidents/openIncident.ts'
import { conditions } from '../../../../src/features/founder/incidents/rules.ts'
import type { Signal } from '../../../../src/features/founder/incidents/signals.ts'
import { describe } from '../../../../src/features/founder/incidents/descriptions.ts'
import { createRandom, factsOf, noon, run, shuffled, signal } from '../../../support/founder/incidentSignals.ts'

const minute = 60_000
const hour = 60 * minute

function randomSignals(seed: number, count: number, span = 3 * hour): Signal[] {
  const random = createRandom(seed)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  return Array.from({ length: count }, () =>
    signal(
      pick(['failure', 'failure', 'failure', 'signUp', 'deterrent', 'deterrent', 'action']),
      10 * hour + Math.floor(random() * span),
      {
        account: pick(['a', 'b', 'c', 'd', 'e', 'f', 'g']),
        address: pick(['203.0.113.1', '203.0.113.2', '198.51.100.3', '198.51.100.4']),
        severity: pick(['low', 'low', 'low', 'low', 'high']),
      },
    ),
  ).sort((one, other) => one.at - other.at)
}

/** A naive implementation of the rules, without regard to cost. */
function slowly(signals: readonly Signal[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [type, list] of Object.entries(conditions))
    for (const { signal: kind, by, counts, atLeast, within, only } of list) {
      const counted = signals.filter((one) => {
        if (one.kind !== kind) return false
        if (only === 'at night') return new Date(one.at).getHours() < 5
        return only !== 'high severity' || one.severity === 'high'
      })
      for (const end of counted) {
        const window = counted.filter((one) => one[by] === end[by] && one.at <= end.at && one.at >= end.at - within)
        const values = window.map((one) => ({ events: one.id, accounts: one.account, networks: one.network })[counts])
        if (new Set(values).size < atLeast) continue
        const id = `${type}:${by}:${end[by]}`
        found.set(id, new Set([...(found.get(id) ?? []), ...window.map((one) => one.id)]))
      }
    }
  return found
}

const asMap = (incidents: ReturnType<typeof run>['incidents']) =>
  new Map(incidents.map(({ id, events }) => [id, new Set(events.map((one) => one.id))]))

test.for([1, 2, 3, 4, 5, 6, 7, 8])('event by event it finds what the rules say of all together (%i)', (seed) => {
  const signals = randomSignals(seed, 40 * seed)
  const expected = slowly(signals)
  expect(asMap(run(signals).incidents)).toEqual(expected)
  if (seed > 3) expect(expected.size).toBeGreaterThan(5)
})

test.for([11, 12, 13])(
  'in whatever order events arrive, and however often, the incidents are the same (%i)',
  (seed) => {
    const signals = randomSignals(seed, 120, hour)
    const now = noon + 13 * hour
    const inOrder = run(signals, {}, now).incidents.map(factsOf)
    const random = createRandom(seed)
    expect(inOrder.length).toBeGreaterThanOrEqual(5)
    for (let round = 0; round < 5; round++) {
      const mixed = shuffled([...signals, ...signals.filter(() => random() < 0.3)], random)
      const sorted = (list: typeof inOrder) => list.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      expect(sorted(run(mixed, {}, now).incidents.map(factsOf))).toEqual(sorted(inOrder))
    }
  },
)

test('failures that arrive some minutes late are put where they belong', () => {
  const [one, two, three, four, five] = [0, 3, 6, 9, 12].map((at) => signal('failure', at * minute)) as [
    Signal,
    Signal,
    Signal,
    Signal,
    Signal,
  ]
  expect(run([one, two, four, five, three], {}, noon + hour).incidents.map(({ events }) => events.length)).toEqual([5])
})

test('of events that can be part of nothing that is open, nothing is made', () => {
  const old = [0, 1, 2, 3, 4].map((at) => signal('failure', at))
  expect(run(old, {}, noon + lookBackMs + 4).engine.memoryUse()).toEqual({ signals: 0, events: 0, incidents: 0 })
})

test('a day of an office has no incident, and with attacks in it exactly those', () => {
  const random = createRandom(99)
  const person = () => `user${Math.floor(random() * 400)}`
  const day: Signal[] = []
  const start = -4 * hour
  for (let n = 0; n < 6_000; n++) {
    const account = person()
    // Everyone has an office network of their own; a few mistype passwords, and many occasionally copy text.
    const address = `198.51.${Number(account.slice(4)) % 200}.${Number(account.slice(4)) % 250}`
    const at = start + Math.floor(random() * 12 * hour)
    const kind = random() < 0.15 ? 'failure' : random() < 0.9 ? 'deterrent' : 'action'
    day.push(signal(kind, at, { account, address, severity: random() < 0.01 ? 'high' : 'low' }))
  }
  for (let n = 0; n < 60; n++)
    day.push(signal('signUp', start + n * 12 * minute, { account: `new${n}`, address: '192.0.2.1' }))
  const inOrder = (list: Signal[]) => list.toSorted((one, other) => one.at - other.at)
  expect(run(inOrder(day)).incidents.map(({ id }) => id)).toEqual([])

  const spray = [0, 1, 2, 3, 4, 5].map((n) =>
    signal('failure', n * minute, { account: `user${n}`, address: '203.0.113.66' }),
  )
  const force = [0, 1, 2, 3, 4, 5].map((n) =>
    signal('failure', hour + n * minute, { account: 'head', address: '203.0.113.77' }),
  )
  const bots = [0, 1, 2, 3, 4].map((n) =>
    signal('signUp', 2 * hour + n, { account: `bot${n}`, address: '203.0.113.88' }),
  )
  const spy = [0, 1, 2].map((n) => signal('deterrent', 3 * hour + n * minute, { account: 'spy', severity: 'high' }))
  const night = [signal('action', 15 * hour, { account: 'founder', address: '203.0.113.99' })]
  const { incidents } = run(inOrder([...day, ...spray, ...force, ...bots, ...spy, ...night]))
  expect(incidents.map(({ id }) => id).sort()).toEqual([
    'brute_force_attack:account:head',
    'coordinated_attack:network:203.0.113.66',
    'rapid_account_creation:network:203.0.113.88',
    'suspicious_user_behavior:account:spy',
    'unusual_activity_hours:account:founder',
  ])
})

test('a flood from many addresses is held in bounded memory, and does not push out what is grave', () => {
  const bounds = { signals: 2_000, events: 400, incidents: 50 }
  const { engine } = run([], { bounds })
  for (let n = 0; n < 10; n++)
    engine.addSignal(signal('failure', n, { account: 'founder', address: '192.0.2.9' }), noon)
  let [mostHeld, mostEvents, mostOpen] = [0, 0, 0]
  for (let n = 0; n < 100_000; n++) {
    const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
    engine.addSignal(signal('failure', 1_000 + n, { account: `user${n}`, address }), noon + 1_000 + n)
    if (n % 10 === 0)
      for (let more = 0; more < 5; more++)
        engine.addSignal(signal('signUp', 1_000 + n, { account: `new${n}-${more}`, address }), noon + 1_000 + n)
    const held = engine.memoryUse()
    mostHeld = Math.max(mostHeld, held.signals)
    mostEvents = Math.max(mostEvents, held.events)
    mostOpen = Math.max(mostOpen, held.incidents)
  }
  expect(mostOpen).toBe(bounds.incidents)
  expect(mostHeld).toBeLessThanOrEqual(bounds.signals + 4)
  expect(mostEvents).toBeLessThanOrEqual(bounds.events)
  const left = engine.list(noon + 102_000)
  expect(left).toHaveLength(bounds.incidents)
  expect(left[0]).toMatchObject({ id: 'brute_force_attack:account:founder', severity: 'critical' })
})

test('of one account under fire the events are counted up to a thousand, and the newest are kept', () => {
  const signals = Array.from({ length: 5_000 }, (_, n) => signal('failure', n * 100, { account: 'head' }))
  const { engine, incidents } = run(signals)
  expect(incidents.map(({ events }) => events.length)).toEqual([1_000])
  expect(incidents[0]?.events.at(-1)).toBe(signals.at(-1))
  expect(incidents[0]?.users).toEqual(new Map([['head', 1_000]]))
  expect(engine.memoryUse().signals).toBeLessThanOrEqual(600)
})

test('open incidents with ever more events hold no more than their shares of one bound', () => {
  // A tenth of the server's bounds, in the same proportions.
  const { engine } = run([], { bounds: { signals: 20_000, events: 20_000, incidents: 100 } })
  let at = 0
  const fail = (account: string, address: string) =>
    engine.addSignal(signal('failure', ++at, { account, address }), noon + at)
  for (let n = 0; n < 30; n++) fail('head', `192.0.2.${n % 12}`)
  let most = 0
  for (let account = 0; account < 90; account++)
    for (let event = 0; event < 250; event++) {
      // The first account is attacked further, from one network, so the remaining events no longer show all of them.
      fail(event % 50 === 0 ? 'head' : `name${account}`, event % 50 === 0 ? `192.0.2.${at % 2}` : '203.0.113.1')
      if (at % 100 === 0) most = Math.max(most, engine.memoryUse().events)
    }
  expect(most).toBeGreaterThan(19_000)
  expect(most).toBeLessThanOrEqual(20_000)
  const list = engine.list(noon + at)
  expect(engine.memoryUse()).toMatchObject({
    events: list.flatMap(({ events }) => events).length,
    incidents: list.length,
  })
  expect(list.length).toBeGreaterThan(90)
  for (const { severity, events } of list) {
    expect(severity).toBe('critical')
    expect(events.length).toBeGreaterThan(100)
  }
  const find = (id: string) => engine.find(id, noon + at) as OpenIncident
  const [head, first, last] = [find('coordinated_attack:account:head'), find(force(0)), find(force(89))]
  expect([...head.networks.keys()].length).toBeLessThan(10)
  expect([head, first, last].map(({ cutAt }) => cutAt !== undefined)).toEqual([true, true, false])
  expect([first, last].map(describe)).toEqual([
    expect.stringMatching(/^(1\d\d|200)\+ failed sign-ins to one account/),
    expect.stringMatching(/^245 failed sign-ins to one account/),
  ])
  // After all incidents have ended, no counted event is left.
  expect(engine.list(noon + at + limits.incidentOpen)).toEqual([])
  expect(engine.memoryUse().events).toBe(0)
})

const force = (account: number) => `brute_force_attack:account:name${account}`
