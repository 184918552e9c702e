import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createApp } from '../packages/server/src/app.ts'
import { loadConfig } from '../packages/server/src/core/config/config.ts'
import { filledFolder } from './load/filled.ts'
import { sleep } from './load/stats.ts'

/**
 * Event-loop delay of the server while it deletes messages that expired during downtime. Target: p99 under 20 ms with
 * 1,000,000 messages.
 */
const { values: options } = parseArgs({ options: { messages: { type: 'string', default: '1000000' } } })
const count = Number(options.messages)
const filled = await filledFolder(count, 200, (i) => Date.now() - 26 * 3_600_000 + Math.floor((i * 3_600_000) / count))
const delay = monitorEventLoopDelay({ resolution: 1 })
const { core, close } = await createApp(loadConfig({ DATA_DIR: filled.folder, LOG_LEVEL: 'warn', DEMO: '0' }))
const left = async () =>
  (await core.db.read.get<{ n: number }>('select count(*) as n from (select 1 from messages limit 1)'))?.n ?? 0
delay.enable()
const start = performance.now()
while ((await left()) > 0) await sleep(100)
delay.disable()
const seconds = (performance.now() - start) / 1000
await close()
filled.remove()
const ms = (value: number) => (value / 1e6).toFixed(1)
console.log(`${count} expired messages destroyed in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`)
console.log(
  `event-loop delay: p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms (target under 20), most ${ms(delay.max)} ms`,
)
