import { parseArgs } from 'node:util'
import { monitoredServer } from './load/monitored.ts'
import { median } from './load/stats.ts'

/**
 * The calls that the founder's console polls every few seconds, with 1,000,000 messages and security events of one day
 * against 1,000 of each, and 1,000 people online in both; measured in turns in one process. Target: under 5 ms,
 * independent of the number of messages.
 */
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    people: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '200' },
  },
})
const [count, people, rounds] = [Number(options.count), Number(options.people), Number(options.rounds)]
const [few, many] = [await monitoredServer(1_000, people), await monitoredServer(count, people)]
const words = (value: number) => value.toLocaleString('en')

const { body } = await many.get('/api/founder/realtime-stats')
const found = [body['messagesLast24h'], body['activeUsers'], (body['recentEvents'] as unknown[]).length]
if (found.join() !== [count, people, 10].join()) throw new Error(`wrong numbers: ${found.join()}`)

console.log(
  `ms of the processor (and until the answer), median of ${rounds}: 1,000, ${words(count)}, ratio, slowest of the many`,
)
let worst = 0
for (const url of ['/api/founder/realtime-stats', '/api/founder/message-rate', '/api/founder/stats']) {
  const taken = { few: [] as number[], many: [] as number[], fewWall: [] as number[], manyWall: [] as number[] }
  for (let round = 0; round < rounds + 20; round++) {
    const [a, b] = [await few.get(url), await many.get(url)]
    if (round < 20) continue
    taken.few.push(a.processor)
    taken.many.push(b.processor)
    taken.fewWall.push(a.wall)
    taken.manyWall.push(b.wall)
  }
  const [one, other] = [median(taken.few), median(taken.many)]
  worst = Math.max(worst, other, median(taken.manyWall))
  const both = (processor: number, wall: readonly number[]) =>
    `${processor.toFixed(2)} (${median([...wall]).toFixed(2)})`
  console.log(
    `${url.padEnd(30)} ${both(one, taken.fewWall)} ${both(other, taken.manyWall)} ${(other / one).toFixed(2)} ${Math.max(...taken.manyWall).toFixed(1)}`,
  )
}
console.log(`slowest median: ${worst.toFixed(2)} ms (target under 5)`)
await Promise.all([few.stop(), many.stop()])
