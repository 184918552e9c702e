import { parseArgs } from 'node:util'
import { benchFolder } from './load/processes.ts'
import { measureAll } from './load/measure.ts'
import { columnsOf, figureTable, ratio, ratioTable, shown } from './load/report.ts'
import { prepareServers } from './peers/servers.ts'

/**
 * From POST /api/messages to the notice on the recipient's socket, durable: our server on SQLite against the floors of
 * ./floor, in turns of a second. Targets: at least 0.7 of floor-group and 3 times floor-each; p99 at 100 messages a
 * second at most 1.5 times floor-worker's.
 */
const { values: options } = parseArgs({ options: { turns: { type: 'string', default: '20' } } })
const floors = ['floor-group', 'floor-each', 'floor-worker'] as const
const pairs = [50, 200] as const

const targets = await prepareServers(['ours-sqlite', ...floors], benchFolder(), 1000)
const tests = ['throughput', 'latency'] as const
const results = await measureAll(targets, { tests, turns: Number(options.turns), steps: [], pairs, reconnects: 0 })
const columns = columnsOf(pairs, [])
console.log(
  `\n${figureTable(results, columns)}\n\nHow many times better:\n\n${ratioTable(results, columns, 'ours-sqlite')}\n`,
)

const rates = columns.filter(({ better, title }) => better === 'more' && title.includes('pairs'))
const targeted = [
  ...rates.map((column) => ({ column, floor: 'floor-group', target: 'at least 0.7' })),
  ...rates.map((column) => ({ column, floor: 'floor-each', target: 'at least 3' })),
  ...columns
    .filter(({ title }) => title === 'p99, ms')
    .map((column) => ({ column, floor: 'floor-worker', target: 'at most 1.5' })),
]
for (const { column, floor, target } of targeted) {
  const times = ratio(column, results.get('ours-sqlite') ?? [], results.get(floor) ?? [])
  console.log(`${column.title}: ${shown(times)} times ${floor} (target ${target})`)
}
process.exit()
