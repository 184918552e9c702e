import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Target } from './load/client.ts'
import { type Figures, measure, type Plan, type Test, tests } from './load/figures.ts'
import { forgetAtEnd } from './load/processes.ts'
import { columnsOf, figureTable, ratioTable } from './load/report.ts'
import { countSyncs } from './peers/syncs.ts'
import { missingPrograms, type ServerName, serverNames, servers } from './peers/servers.ts'

/**
 * Ours beside ejabberd and prosody (Debian's packages, with a durable archive of all messages) and beside the floors: the
 * same one-to-one delivery in interleaved rounds, the server with its database on one core, the load on the other.
 * Targets: ahead of both peers in every figure, by 10 times in durable deliveries; 0.7 of floor-pg on PostgreSQL.
 * `--syncs`: how often each brings a message to the disk, counted by strace.
 */
const { values: options } = parseArgs({
  options: {
    servers: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '5' },
    latency: { type: 'string', default: '10' },
    users: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '1000,5000,10000' },
    tests: { type: 'string', default: tests.join() },
    syncs: { type: 'boolean', default: false },
  },
})
const steps = options.steps.split(',').map(Number)
const plan: Plan = {
  tests: options.tests.split(',') as Test[],
  seconds: Number(options.seconds),
  latencySeconds: Number(options.latency),
  steps,
  pairs: [50, 200],
  reconnects: 1000,
}
const users = Math.max(Number(options.users), 1000)
const root = mkdtempSync(join(tmpdir(), 'privity-bench-'))
forgetAtEnd(root)
// The servers run as users of their own, who look for their folders in it.
chmodSync(root, 0o711)

const chosen: ServerName[] = []
for (const name of (options.servers?.split(',') ?? serverNames) as ServerName[]) {
  const missing = missingPrograms(name)
  if (missing === undefined) chosen.push(name)
  else if (options.servers === undefined) console.error(`Without ${name}: ${missing}`)
  else throw new Error(missing)
}

const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
const targets: Target[] = []
for (const name of chosen) {
  const folder = join(root, name)
  mkdirSync(folder, { mode: 0o711 })
  const target = await servers[name](name, folder)
  await target.prepare(users)
  targets.push(target)
  say(`${name} is prepared`)
}

if (options.syncs) {
  const counted: Record<string, object> = {}
  for (const target of targets) {
    await target.start()
    counted[target.name] = await countSyncs(target)
    await target.stop()
  }
  console.table(counted)
} else {
  const results = new Map<string, Figures[]>(targets.map(({ name }) => [name, []]))
  for (let round = 0; round < Number(options.rounds); round++) {
    for (let k = 0; k < targets.length; k++) {
      // Each round begins with another, so that none is always the first; memory is what it is, and measured once.
      const target = targets[(k + 2 * round) % targets.length] as Target
      const tests = plan.tests.filter((test) => round === 0 || test !== 'idle')
      const figures = await measure(target, { ...plan, tests })
      results.get(target.name)?.push(figures)
      const { latencies: _latencies, pasts: _pasts, ...short } = figures
      say(`round ${round + 1}, ${target.name}: ${JSON.stringify(short)}`)
    }
  }
  const columns = columnsOf(plan.pairs, steps)
  console.log(`\n${figureTable(results, columns)}`)
  for (const { name } of targets.filter(({ name }) => name.startsWith('ours')))
    if (targets.length > 1) console.log(`\nTimes better:\n\n${ratioTable(results, columns, name)}`)
}
process.exit(0)
