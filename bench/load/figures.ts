import type { Target } from './client.ts'
import { cpuTime, machineTime, treeOf } from './processes.ts'
import { idle, latency, past, storm, throughput } from './scenarios.ts'

export const tests = ['past', 'latency', 'throughput', 'storm', 'idle'] as const
export type Test = (typeof tests)[number]
export const isTest = (name: string): name is Test => (tests as readonly string[]).includes(name)

export interface Plan {
  tests: readonly Test[]
  /** Of each throughput. */
  seconds: number
  /** Of the latency at 100 messages a second. */
  latencySeconds: number
  /** Numbers of idle clients. */
  steps: readonly number[]
  pairs: readonly [number, number]
  reconnects: number
}

/** What one round of one server gave; nothing where it was not measured. */
export interface Figures {
  /** Milliseconds from each send to the recipient, at 100 messages a second. */
  latencies?: number[]
  /** Delivered a second, with few and many pairs, and processor time (µs) for each, with its database's. */
  fewPairs?: number
  manyPairs?: number
  fewCost?: number
  manyCost?: number
  /** Milliseconds until all of those who were cut off are back. */
  reconnect?: number
  /** Milliseconds for each question for the newest 50, and questions a second with eight at a time. */
  pasts?: number[]
  pastRate?: number
  /** KiB of the server without clients, and for each idle client, by their number. */
  empty?: number
  idle?: Record<number, number>
  /** How much of one core everything else took meanwhile, percent. */
  others: number
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

/** Counts what the rest of the machine works while something is measured. */
function watchOthers(target: Target) {
  const pids = [...allOf(target)]
  const read = () => machineTime() - cpuTime(pids) - ownTime()
  const [begun, before] = [performance.now(), read()]
  return () => ((read() - before) / 1000 / (performance.now() - begun)) * 100
}

/** One round of a server that is prepared: started, measured, its store counted against what was sent, stopped. */
export async function measure(target: Target, plan: Plan): Promise<Figures> {
  const has = (test: Test) => plan.tests.includes(test)
  const figures: Figures = { others: 0 }
  let sent = 0

  async function session(work: () => Promise<void>): Promise<void> {
    await target.start()
    try {
      const before = await target.stored()
      sent = 0
      const others = watchOthers(target)
      await work()
      figures.others = Math.max(figures.others, others())
      const stored = (await target.stored()) - before
      if (stored !== sent) throw new Error(`${target.name}: ${sent} sent and delivered, ${stored} stored`)
    } finally {
      await target.stop()
    }
  }

  async function underLoad(): Promise<void> {
    if (has('past')) {
      const { times, rate } = await past(target, {})
      Object.assign(figures, { pasts: times, pastRate: rate })
    }
    if (has('latency')) {
      const { times, sent: some } = await latency(target, { seconds: plan.latencySeconds })
      figures.latencies = times
      sent += some
    }
    if (has('throughput')) {
      const [few, many] = plan.pairs
      const one = await throughput(target, { pairs: few, seconds: plan.seconds }, cpuOf(target))
      const other = await throughput(target, { pairs: many, seconds: plan.seconds }, cpuOf(target))
      Object.assign(figures, { fewPairs: one.rate, fewCost: one.cost, manyPairs: other.rate, manyCost: other.cost })
      sent += one.sent + other.sent
    }
    if (has('storm')) figures.reconnect = (await storm(target, { count: plan.reconnects })).all
  }

  // Memory first and in a process of its own: what a busy one has freed would hide what clients take.
  if (has('idle'))
    await session(async () => {
      const { empty, grown, sent: probe } = await idle(target, { steps: [...plan.steps] })
      figures.empty = empty
      figures.idle = Object.fromEntries(plan.steps.map((step, i) => [step, grown[i] as number]))
      sent += probe
    })
  if (plan.tests.some((test) => test !== 'idle')) await session(underLoad)
  return figures
}
