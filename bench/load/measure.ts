import type { Client, Target } from './client.ts'
import type { Figures, Plan, Test } from './figures.ts'
import { cpuTime, machineTime, logProgress, treeOf } from './processes.ts'
import {
  connectAll,
  measureIdleMemory,
  latency,
  disconnectAll,
  readHistory,
  historyUsers,
  reconnectAll,
  throughput,
  range,
} from './scenarios.ts'
import { sleep } from './stats.ts'

/** The figures of one turn, and the number of messages sent in it. */
type Turn = Omit<Figures, 'others'> & { sent?: number }

/** A measurement that servers take in turns while all of them run. */
interface Scenario {
  test: Test
  /** Users that stay connected during the whole scenario. */
  users: readonly number[]
  /** Uncounted turns before the counted ones, so that code is compiled and caches are filled on every server. */
  warmUp: number
  /** Upper limit of turns, for a scenario whose turns are long and vary little. */
  maxTurns?: number
  turn(clients: readonly Client[], target: Target): Promise<Turn>
}

/**
 * The scenarios are measured in the order of the plan's tests, because the latency of a freshly started server differs
 * from that of one that has been under full load.
 */
function scenariosOf({ pairs: [few, many], reconnects }: Plan): Scenario[] {
  const ofPairs = (pairs: number) => range(2 * pairs)
  const delivering = (pairs: number, warmUp: number, named: (rate: number, cost: number) => Turn): Scenario => ({
    test: 'throughput',
    users: ofPairs(pairs),
    warmUp,
    async turn(clients, target) {
      const { rate, cost, sent } = await throughput(clients, {}, cpuOf(target))
      return { ...named(rate, cost), sent }
    },
  })
  return [
    {
      test: 'past',
      users: historyUsers,
      warmUp: 2,
      async turn(clients) {
        const { times, rate } = await readHistory(clients, {})
        return { pasts: times, pastRate: rate }
      },
    },
    {
      test: 'latency',
      users: ofPairs(50),
      warmUp: 20,
      async turn(clients) {
        const { times, sent } = await latency(clients, {})
        return { latencies: times, sent }
      },
    },
    delivering(many, 4, (manyPairs, manyCost) => ({ manyPairs, manyCost })),
    delivering(few, 2, (fewPairs, fewCost) => ({ fewPairs, fewCost })),
    {
      test: 'storm',
      users: [],
      warmUp: 1,
      maxTurns: 5,
      turn: async (_clients, target) => ({ reconnect: (await reconnectAll(target, { count: reconnects })).all }),
    },
  ]
}

const allOf = (target: Target) => treeOf(Object.values(target.processes()).flat())
const cpuOf = (target: Target) => {
  const pids = allOf(target)
  return () => cpuTime(pids)
}
const ownTime = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Measures how much processor time the rest of the machine uses meanwhile, in percent of one core. */
function watchOthers(target: Target) {
  const pids = allOf(target)
  const read = () => machineTime() - cpuTime(pids) - ownTime()
  const [begun, before] = [performance.now(), read()]
  return () => ((read() - before) / 1000 / (performance.now() - begun)) * 100
}

/** Memory per idle client of a prepared server, in a fresh process that has done nothing else. */
async function measureIdle(target: Target, steps: readonly number[]): Promise<Figures> {
  await target.start()
  try {
    const before = await target.stored()
    const others = watchOthers(target)
    const { empty, grown, sent } = await measureIdleMemory(target, { steps: [...steps] })
    const figures = { empty, idle: Object.fromEntries(steps.map((step, i) => [step, grown[i] as number])) }
    const took = others()
    await verifyStored(target, before + sent)
    return { ...figures, others: [took] }
  } finally {
    await target.stop()
  }
}

async function verifyStored(target: Target, expected: number): Promise<void> {
  const stored = await target.stored()
  if (stored !== expected) throw new Error(`${stored} messages are stored, and ${expected} were sent and delivered`)
}

/**
 * Measures all of `all` in each of `count` turns, in sequence; the starting position rotates, so that none always
 * follows the same one. Variations of the machine's speed affect all alike.
 */
export async function inTurns<T, R>(
  all: readonly T[],
  count: number,
  measure: (one: T, turn: number) => Promise<R>,
): Promise<Map<T, R[]>> {
  const results = new Map<T, R[]>(all.map((one) => [one, []]))
  for (let turn = 0; turn < count; turn++)
    for (let k = 0; k < all.length; k++) {
      const one = all[(turn + k) % all.length] as T
      results.get(one)?.push(await measure(one, turn))
    }
  return results
}

/**
 * Measures prepared servers: the memory of idle clients of each alone, and everything else in turns of about a second
 * while all of them run, so that the ratios of a turn are measured under the same conditions. At the end, the number of
 * messages in every store is compared with the number sent. A server that loses, duplicates or refuses a message has no
 * figures: the failure is printed, and the process exits with 1.
 */
export async function measureAll(targets: readonly Target[], plan: Plan): Promise<Map<string, Figures[]>> {
  const results = new Map<Target, Figures[]>(targets.map((target) => [target, []]))
  async function attempt(target: Target, work: () => Promise<void>): Promise<void> {
    if (!results.has(target)) return
    try {
      await work()
    } catch (error) {
      results.delete(target)
      process.exitCode = 1
      console.error(`Failed: ${target.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  if (plan.tests.includes('idle'))
    for (const target of targets)
      await attempt(target, async () => {
        const figures = await measureIdle(target, plan.steps)
        results.get(target)?.push(figures)
        logProgress(`${target.name}: ${JSON.stringify(figures)}`)
      })

  const expectedStored = new Map<Target, number>()
  for (const target of targets)
    await attempt(target, async () => {
      await target.start()
      expectedStored.set(target, await target.stored())
    })

  async function takeTurn(scenario: Scenario, target: Target, clients: readonly Client[], turn: number): Promise<void> {
    const others = watchOthers(target)
    const { sent = 0, ...figures } = await scenario.turn(clients, target)
    expectedStored.set(target, (expectedStored.get(target) ?? 0) + sent)
    if (turn < 0) return
    const turns = results.get(target) ?? []
    const before = turns[turn]?.others ?? []
    turns[turn] = { ...turns[turn], ...figures, others: [...before, others()] }
    await sleep(100)
  }
  const scenarios = scenariosOf(plan)
  for (const scenario of plan.tests.flatMap((test) => scenarios.filter((one) => one.test === test))) {
    const present = new Map<Target, Client[]>()
    for (const target of targets)
      await attempt(target, async () => void present.set(target, await connectAll(target, scenario.users)))
    const turns = scenario.warmUp + Math.min(plan.turns, scenario.maxTurns ?? plan.turns)
    await inTurns(targets, turns, (target, turn) =>
      attempt(target, () => takeTurn(scenario, target, present.get(target) ?? [], turn - scenario.warmUp)),
    )
    for (const clients of present.values()) await disconnectAll(clients)
    logProgress(`${scenario.test} is measured`)
  }
  for (const target of targets) await attempt(target, () => verifyStored(target, expectedStored.get(target) ?? 0))
  for (const target of targets) await target.stop()
  return new Map([...results].map(([{ name }, figures]) => [name, figures]))
}
