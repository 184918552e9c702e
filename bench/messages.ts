import { parseArgs } from 'node:util'
import { createPair, type Member } from './load/member.ts'
import { startServer, type ServerName } from './load/servers.ts'
import { median, pool, sleep, summary } from './load/stats.ts'
import { traffic } from './load/traffic.ts'

/**
 * POST /api/messages to the notice on the recipient's socket, durable, ours against the floors of
 * ./floor in interleaved rounds. Targets: at least 0.7 of floor-group and 3 times floor-each; p99 at
 * 100 messages a second at most 1.5 times floor-worker's.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    servers: { type: 'string', default: 'ours,floor-group,floor-each,floor-worker' },
  },
})
const seconds = Number(options.seconds)
const window = 4

/**
 * Delivered and acknowledged messages a second, `window` in flight a pair, each arrival answered; and the
 * server's CPU time (us) for one, which other work on the machine disturbs less.
 */
async function throughput(pairs: [Member, Member][], cpu: () => number): Promise<{ rate: number; cost: number }> {
  let [running, counting, count] = [true, false, 0]
  const run = traffic(pairs.flat(), (recipient) => {
    if (counting) count += 1
    if (running) run.send(recipient)
  })
  for (let i = 0; i < window; i++) for (const pair of pairs) run.send(pair[i % 2] as Member)
  await sleep(3000)
  counting = true
  const [start, used] = [performance.now(), cpu()]
  await sleep(seconds * 1000)
  const rate = (count * 1000) / (performance.now() - start)
  const cost = (cpu() - used) / count
  counting = running = false
  await run.drain()
  verify(run.counts())
  return { rate, cost }
}

/** Milliseconds from the send to the recipient's callback, at 100 messages a second in all. */
async function latency(pairs: [Member, Member][]) {
  const times: number[] = []
  const run = traffic(pairs.flat(), (_recipient, ms) => times.push(ms))
  const start = performance.now()
  for (let i = 0; i < 100 * (seconds + 2); i++) {
    await sleep(Math.max(0, start + i * 10 - performance.now()))
    run.send((pairs[i % pairs.length] as [Member, Member])[i % 2] as Member)
  }
  await run.drain()
  verify(run.counts())
  return summary(times.slice(200))
}

function verify({ sent, lost, doubled, failed }: { sent: number; lost: number; doubled: number; failed: string[] }) {
  if (lost || doubled || failed.length)
    throw new Error(`${sent} sent, ${lost} lost, ${doubled} doubled; ${failed[0] ?? ''}`)
}

interface Round {
  thr50: number
  thr200: number
  cpu50: number
  cpu200: number
  p50: number
  p99: number
}

async function round(name: ServerName): Promise<Round> {
  const server = await startServer(name)
  try {
    const pairs = await pool(200, 4, () => createPair(server.port))
    const { p50, p99 } = await latency(pairs.slice(0, 50))
    const some = await throughput(pairs.slice(0, 50), server.cpu)
    const all = await throughput(pairs, server.cpu)
    const result = { thr50: some.rate, thr200: all.rate, cpu50: some.cost, cpu200: all.cost, p50, p99 }
    for (const member of pairs.flat()) member.close()
    return result
  } finally {
    await server.stop()
  }
}

const names = options.servers.split(',') as ServerName[]
const rounds = new Map<ServerName, Round[]>(names.map((name) => [name, []]))
for (let i = 0; i < Number(options.rounds); i++) {
  for (let k = 0; k < names.length; k++) {
    const name = names[(k + i) % names.length] as ServerName
    const result = await round(name)
    rounds.get(name)?.push(result)
    console.error(`round ${i + 1} ${name}`, result)
  }
}
const figure = (name: ServerName, key: keyof Round) => median((rounds.get(name) ?? []).map((each) => each[key]))
const rows = Object.fromEntries(
  names.map((name) => [
    name,
    Object.fromEntries(
      (['thr50', 'thr200', 'cpu50', 'cpu200', 'p50', 'p99'] as const).map((key) => [
        key,
        Number(figure(name, key).toFixed(2)),
      ]),
    ),
  ]),
)
console.table(rows)
if (names.includes('ours')) {
  for (const key of ['thr50', 'thr200'] as const) {
    if (names.includes('floor-group'))
      console.log(
        `${key}: ${(figure('ours', key) / figure('floor-group', key)).toFixed(2)} of floor-group (target 0.7)`,
      )
    if (names.includes('floor-each'))
      console.log(`${key}: ${(figure('ours', key) / figure('floor-each', key)).toFixed(2)} times floor-each (target 3)`)
  }
  if (names.includes('floor-worker'))
    console.log(
      `p99: ${(figure('ours', 'p99') / figure('floor-worker', 'p99')).toFixed(2)} times floor-worker (target at most 1.5)`,
    )
}
