import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Target } from './load/client.ts'
import { isTest, tests } from './load/figures.ts'
import { benchFolder, logProgress } from './load/processes.ts'
import { measureAll } from './load/measure.ts'
import { privateBus } from './load/privateBus.ts'
import { columnsOf, figureTable, growthTable, ratioTable } from './load/report.ts'
import { ours, type OurOptions } from './peers/ours.ts'

/**
 * Every figure of `peers` again, for our server alone: with 10 and 100 times the data (1 stands for 1,000 users in 500
 * conversations with 10,000 messages), and with 2 and 3 processes on PostgreSQL, which share the one core of the server
 * here.
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,10,100' },
    databases: { type: 'string', default: 'sqlite,pg' },
    processes: { type: 'string', default: '2,3' },
    turns: { type: 'string', default: '10' },
    tests: { type: 'string', default: tests.join() },
  },
})
const list = (text: string) => text.split(',').filter((each) => each !== '')
const sizes = list(options.sizes).map(Number)
const [steps, pairs] = [[1000], [50, 200] as const]
const hasPostgres = existsSync('/usr/lib/postgresql')
if (!hasPostgres) console.error('Without PostgreSQL, which is not installed (on Debian: apt-get install postgresql).')

const folderOf = benchFolder()
const targets: Target[] = []
async function add(name: string, size: number, more: Omit<OurOptions, 'messages'>): Promise<Target> {
  const target = await ours(name, folderOf(name), { messages: 10_000 * size, ...more })
  await target.prepare(1000 * size)
  targets.push(target)
  logProgress(`${name} is prepared`)
  return target
}

const columns = columnsOf(pairs, steps)
const nameOf = (database: string, size: number) => `${database}-x${size}`

for (const database of list(options.databases).filter((each) => each !== 'pg' || hasPostgres)) {
  for (const size of sizes) await add(nameOf(database, size), size, { kind: database === 'pg' ? 'postgres' : 'sqlite' })
}
if (hasPostgres) {
  for (const processes of list(options.processes).map(Number))
    await add(`pg-processes${processes}`, 1, { kind: 'postgres', processes, bus: await privateBus() })
}
const results = await measureAll(targets, {
  tests: list(options.tests).filter(isTest),
  turns: Number(options.turns),
  steps,
  pairs,
  reconnects: 1000,
})
console.log(`\n${figureTable(results, columns)}`)
for (const database of list(options.databases))
  console.log(`\n${growthTable(results, columns, (size) => nameOf(database, size), sizes)}`)
if (results.has(nameOf('pg', 1)))
  console.log(`\nHow many times better:\n\n${ratioTable(results, columns, nameOf('pg', 1))}`)
process.exit()
