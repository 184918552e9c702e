import { parseArgs } from 'node:util'
import { createPair, type Member } from './load/member.ts'
import { startServer, type ServerName } from './load/servers.ts'
import { median, pool, sleep, summary } from './load/stats.ts'
import { traffic } from './load/traffic.ts'

/**
 * POST /api/messages to the notice on the recipient's socket, durable, ours against the floors of ./floor. All servers
 * run at once and take turns of a second, so that what else the machine does falls on all of them alike: the ratios of
 * one turn count, and their median is the figure. Targets: at least 0.7 of floor-group and 3 times floor-each; p99 at
 * 100 messages a second at most 1.5 times floor-worker's.
 */
const { values: options } = parseArgs({
  options: {
    turns: { type: 'string', default: '20' },
    servers: { type: 'string', default: 'ours,floor-group,floor-each,floor-worker' },
  },
})
const turns = Number(options.turns)
const window = 4
type Pair = [Member, Member]

interface Target {
  name: ServerName
  pairs: Pair[]
  cpu: () => number
  stop: () => Promise<void>
}

async function start(name: ServerName): Promise<Target> {
  const server = await startServer(name)
  return { name, pairs: await pool(200, 4, () => createPair(server.port)), cpu: server.cpu, stop: server.stop }
}

/**
 * Delivered and acknowledged messages a second, `window` in flight a pair, each arrival answered; and the
 * server's CPU time (us) for one, which other work on the machine disturbs less.
 */
async function throughput({ name, pairs, cpu }: Target, size: number): Promise<{ rate: number; cost: number }> {
  const some = pairs.slice(0, size)
  let [running, counting, count] = [true, false, 0]
  const run = traffic(some.flat(), (recipient) => {
    if (counting) count += 1
    if (running) run.send(recipient)
  })
  for (let i = 0; i < window; i++) for (const pair of some) run.send(pair[i % 2] as Member)
  await sleep(300)
  counting = true
  const [begun, used] = [performance.now(), cpu()]
  await sleep(1000)
  const rate = (count * 1000) / (performance.now() - begun)
  const cost = (cpu() - used) / count
  counting = running = false
  await run.drain()
  verify(name, run.counts())
  return { rate, cost }
}

/** Milliseconds from the send to the recipient's callback, at 100 messages a second in all, for a second. */
async function latencies({ name, pairs }: Target): Promise<number[]> {
  const some = pairs.slice(0, 50)
  const times: number[] = []
  const run = traffic(some.flat(), (_recipient, ms) => times.push(ms))
  const begun = performance.now()
  for (let i = 0; i < 110; i++) {
    await sleep(Math.max(0, begun + i * 10 - performance.now()))
    run.send((some[i % some.length] as Pair)[i % 2] as Member)
  }
  await run.drain()
  verify(name, run.counts())
  return times.slice(10)
}

function verify(
  name: ServerName,
  { sent, lost, doubled, failed }: { sent: number; lost: number; doubled: number; failed: string[] },
) {
  if (lost || doubled || failed.length)
    throw new Error(`${name}: ${sent} sent, ${lost} lost, ${doubled} doubled; ${failed[0] ?? ''}`)
}

/** What each target gives in each turn; every turn begins with another of them. */
async function inTurns<T>(targets: Target[], count: number, measure: (target: Target) => Promise<T>) {
  const results = new Map<ServerName, T[]>(targets.map(({ name }) => [name, []]))
  for (let turn = 0; turn < count; turn++) {
    for (let k = 0; k < targets.length; k++) {
      const target = targets[(turn + k) % targets.length] as Target
      results.get(target.name)?.push(await measure(target))
      await sleep(100)
    }
  }
  return (name: ServerName): T[] => results.get(name) ?? []
}

const targets: Target[] = []
for (const name of options.servers.split(',') as ServerName[]) targets.push(await start(name))
const has = (name: ServerName) => targets.some((target) => target.name === name)
try {
  // Compiled and filled alike before anything counts.
  await inTurns(targets, 6, (target) => throughput(target, 200))
  const late = await inTurns(targets, turns, latencies)
  const p99Of = (name: ServerName) => summary(late(name).flat()).p99
  for (const size of [50, 200]) {
    const of = await inTurns(targets, turns, (target) => throughput(target, size))
    const ratio = (other: ServerName, key: 'rate' | 'cost') =>
      median(of('ours').map((one, turn) => one[key] / (of(other)[turn]?.[key] ?? Number.NaN)))
    console.log(`${size} pairs`)
    console.table(
      Object.fromEntries(
        targets.map(({ name }) => [
          name,
          {
            'delivered a second': Math.round(median(of(name).map(({ rate }) => rate))),
            'CPU, us a message': Number(median(of(name).map(({ cost }) => cost)).toFixed(1)),
          },
        ]),
      ),
    )
    for (const [other, target] of [
      ['floor-group', '(target 0.7)'],
      ['floor-each', '(target 3)'],
      ['floor-worker', ''],
    ] as const) {
      if (!has('ours') || !has(other)) continue
      const [rate, cost] = [ratio(other, 'rate').toFixed(2), ratio(other, 'cost').toFixed(2)]
      console.log(`ours delivers ${rate} of ${other} ${target}, at ${cost} of its CPU`)
    }
  }
  console.log('100 messages a second, ms')
  console.table(
    Object.fromEntries(
      targets.map(({ name }) => {
        const { p50, p99, p999 } = summary(late(name).flat())
        return [name, { p50: Number(p50.toFixed(2)), p99: Number(p99.toFixed(2)), p999: Number(p999.toFixed(2)) }]
      }),
    ),
  )
  if (has('ours') && has('floor-worker'))
    console.log(`p99: ${(p99Of('ours') / p99Of('floor-worker')).toFixed(2)} times floor-worker (target at most 1.5)`)
} finally {
  for (const { pairs, stop } of targets) {
    for (const member of pairs.flat()) member.close()
    await stop()
  }
}
