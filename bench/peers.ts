import { parseArgs } from 'node:util'
import type { Target } from './load/client.ts'
import { isTest, tests } from './load/figures.ts'
import { columnsOf, figureTable, ratioTable } from './load/report.ts'
import { benchFolder, runRounds, say } from './load/rounds.ts'
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
    rounds: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '6' },
    latency: { type: 'string', default: '10' },
    users: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '1000,5000,10000' },
    tests: { type: 'string', default: tests.join() },
    syncs: { type: 'boolean', default: false },
  },
})
const steps = options.steps.split(',').map(Number)
const pairs = [50, 200] as const

function choose(): ServerName[] {
  const names = options.servers?.split(',') ?? serverNames
  const unknown = names.find((name) => !(name in servers))
  if (unknown !== undefined) throw new Error(`no server '${unknown}'; there are: ${serverNames.join(', ')}`)
  return (names as ServerName[]).filter((name) => {
    const missing = missingPrograms(name)
    if (missing !== undefined && options.servers !== undefined) throw new Error(`${name}: ${missing}`)
    if (missing !== undefined) console.error(`Without ${name}: ${missing}`)
    return missing === undefined
  })
}

const folderOf = benchFolder()
const targets: Target[] = []
for (const name of choose()) {
  const target = await servers[name](name, folderOf(name))
  await target.prepare(Math.max(Number(options.users), 1000))
  targets.push(target)
  say(`${name} is prepared`)
}

if (options.syncs) {
  const counted: Record<string, object> = {}
  for (const target of targets) {
    await target.start()
    counted[target.name] = await countSyncs(target).catch((error: unknown) => ({ failed: String(error) }))
    say(`${target.name}: ${JSON.stringify(counted[target.name])}`)
    await target.stop()
  }
  console.table(counted)
} else {
  const results = await runRounds(targets, Number(options.rounds), {
    tests: options.tests.split(',').filter(isTest),
    seconds: Number(options.seconds),
    latencySeconds: Number(options.latency),
    steps,
    pairs,
    reconnects: 1000,
  })
  const columns = columnsOf(pairs, steps)
  console.log(`\n${figureTable(results, columns)}`)
  for (const { name } of targets.filter(({ name }) => name.startsWith('ours')))
    if (targets.length > 1) console.log(`\nHow many times better:\n\n${ratioTable(results, columns, name)}`)
}
process.exit()
