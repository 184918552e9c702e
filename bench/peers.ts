import { parseArgs } from 'node:util'
import { isTest, tests } from './load/figures.ts'
import { benchFolder, logProgress } from './load/processes.ts'
import { measureAll } from './load/measure.ts'
import { columnsOf, figureTable, ratioTable } from './load/report.ts'
import { makeSlowDisk } from './load/slowDisk.ts'
import { countSyncs } from './peers/syncs.ts'
import { missingPrograms, prepareServers, type ServerName, serverNames, servers } from './peers/servers.ts'

/**
 * Our server beside ejabberd and prosody (Debian's packages, with a durable archive of all messages) and beside the
 * floors: the same one-to-one delivery, in turns of a second while all of them run; server and database on one core,
 * the load generator on the other. Targets: ahead of both peers in every figure, by 10 times in durable deliveries; 0.7
 * of floor-pg on PostgreSQL. `--syncs`: counts how often each syncs to the disk per message, by strace. `--disk 3`: on
 * a disk whose syncs take 3 ms longer.
 */
const { values: options } = parseArgs({
  options: {
    servers: { type: 'string' },
    turns: { type: 'string', default: '20' },
    users: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '1000,5000,10000' },
    tests: { type: 'string', default: tests.join() },
    syncs: { type: 'boolean', default: false },
    disk: { type: 'string', default: '0' },
  },
})
const steps = options.steps.split(',').map(Number)
const pairs = [50, 200] as const

/** Floors that only `messages` compares with. */
const messageFloors: ReadonlySet<ServerName> = new Set(['floor-each', 'floor-worker'])

function chooseServers(): ServerName[] {
  const names = options.servers?.split(',') ?? serverNames.filter((name) => !messageFloors.has(name))
  const unknown = names.find((name) => !(name in servers))
  if (unknown !== undefined) throw new Error(`no server '${unknown}'; there are: ${serverNames.join(', ')}`)
  return (names as ServerName[]).filter((name) => {
    const missing = missingPrograms(name)
    if (missing !== undefined && options.servers !== undefined) throw new Error(`${name}: ${missing}`)
    if (missing !== undefined) console.error(`Without ${name}: ${missing}`)
    return missing === undefined
  })
}

const addedSyncMs = Number(options.disk)
if (!(addedSyncMs >= 0)) throw new Error(`--disk is a number of milliseconds, not '${options.disk}'`)
const folderOf = benchFolder()
const slowDisk = addedSyncMs > 0 ? makeSlowDisk(folderOf('disk'), addedSyncMs) : undefined
const targets = await prepareServers(chooseServers(), folderOf, Math.max(Number(options.users), 1000))
if (slowDisk !== undefined)
  logProgress(`a sync of the disk takes ${slowDisk.begin().toFixed(2)} ms by itself, and ${addedSyncMs} ms more`)

if (options.syncs) {
  const counted: Record<string, object> = {}
  for (const target of targets) {
    await target.start()
    counted[target.name] = await countSyncs(target).catch((error: unknown) => ({ failed: String(error) }))
    await target.stop()
  }
  console.table(counted)
} else {
  const results = await measureAll(targets, {
    tests: options.tests.split(',').filter(isTest),
    turns: Number(options.turns),
    steps,
    pairs,
    reconnects: 1000,
  })
  const columns = columnsOf(pairs, steps)
  console.log(`\n${figureTable(results, columns)}`)
  for (const name of [...results.keys()].filter((each) => each.startsWith('ours')))
    if (results.size > 1) console.log(`\nHow many times better:\n\n${ratioTable(results, columns, name)}`)
}
process.exit()
