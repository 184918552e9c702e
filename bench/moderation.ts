import { randomBytes, randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { createApp } from '../packages/server/src/app.ts'
import { loadConfig } from '../packages/server/src/core/config/config.ts'
import { scanMessages } from '../packages/server/src/features/founder/moderation/scan.ts'
import { filledFolder } from './load/filled.ts'
import { sleep } from './load/stats.ts'

/**
 * A scan of a day of messages, among them floods, bulk senders and repeated texts, and its effect on the server's event
 * loop. Targets: 1,000,000 messages in under 2 s; the second scan finds nothing.
 */
const { values: options } = parseArgs({
  options: { messages: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
})
const count = Number(options.messages)
const day = 24 * 3_600_000
const start = Date.now() - day + 600_000
const filled = await filledFolder(count, 2_000, (i) => start + Math.floor((i * (day - 700_000)) / count))

/** Adds ten members who send 30 messages within a minute, and ten who send the same text six times. */
function addSuspects(): void {
  const db = new Database(join(filled.folder, 'privity.db'))
  const insert =
    db.prepare(`insert into messages (id, connection_id, seq, sender_id, envelope_id, content, message_type, created_at, expires_at, repetition)
    values (?, ?, ?, ?, ?, 'x', 'text', ?, ?, ?)`)
  db.transaction(() => {
    for (const [at, { id, users }] of filled.connections.slice(0, 20).entries()) {
      const tag = at < 10 ? null : randomBytes(32).toString('base64url')
      const [amount, apart] = tag === null ? [30, 1_000] : [6, 3_600_000]
      for (let n = 0; n < amount; n++) {
        const sent = start + 3_600_000 + n * apart
        insert.run(randomUUID(), id, 10_000_000 + n, users[0], users[0], sent, sent + day, tag)
      }
    }
  })()
  db.close()
}

addSuspects()
const { core, close } = await createApp(loadConfig({ DATA_DIR: filled.folder, LOG_LEVEL: 'warn', DEMO: '0' }))
const delay = monitorEventLoopDelay({ resolution: 1 })
for (let round = 0; round < Number(options.rounds); round++) {
  if (round > 0)
    await core.db.write(async (tx) => {
      await tx.run('delete from message_flags')
      await tx.run("delete from settings where key = 'messages_scanned_until'")
    })
  await sleep(500)
  delay.reset()
  delay.enable()
  const begun = performance.now()
  const flagged = await scanMessages(core, { address: '' })
  const ms = performance.now() - begun
  delay.disable()
  const [p99, most] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  const again = await scanMessages(core, { address: '' })
  console.log(
    `${count} messages scanned in ${ms.toFixed(0)} ms (target under 2,000), ${flagged} flagged, ${again} by a second scan; ` +
      `event-loop delay p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms`,
  )
}
await close()
filled.remove()
