import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { createApp } from '../packages/server/src/app.ts'
import { loadConfig } from '../packages/server/src/core/config/config.ts'
import { sealedContents } from './load/sealed.ts'
import { sleep } from './load/stats.ts'

/**
 * Event-loop delay of the server while it deletes messages that expired during downtime. Target: p99 under 20 ms with
 * 1,000,000 messages.
 */
const hour = 3_600_000
const connections = 200

/** The schema of the real server in a new folder: the server creates its database and is closed again. */
async function newFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  const { close } = await createApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', DEMO: '0' }))
  await close()
  return folder
}

/** Creates a data folder with `count` messages that expired 1 to 2 hours ago, written straight into the database. */
async function filledFolder(count: number): Promise<string> {
  const folder = await newFolder()
  const db = new Database(join(folder, 'privity.db'))
  db.pragma('synchronous = OFF')
  const organization = db.prepare<[], { id: string }>('select id from organizations').get()?.id ?? ''
  const user =
    db.prepare(`insert into users (id, username, email, first_name, last_name, role, organization_id, connection_code,
    password_hash, created_at) values (?, ?, ?, 'A', 'B', 'user', ?, ?, 'none', 0)`)
  const connection = db.prepare(
    'insert into connections (id, user_id_1, user_id_2, connected_at, last_seq) values (?, ?, ?, 0, ?)',
  )
  const message =
    db.prepare(`insert into messages (id, connection_id, seq, sender_id, envelope_id, content, message_type, created_at, expires_at)
    values (?, ?, ?, ?, ?, ?, 'text', ?, ?)`)
  const startedAt = Date.now() - 26 * hour
  const content = sealedContents(randomUUID())
  const made: { id: string; users: string[] }[] = []
  db.transaction(() => {
    for (let c = 0; c < connections; c++) {
      const users = [randomUUID(), randomUUID()].toSorted()
      for (const id of users) user.run(id, id, `${id}@example.com`, organization, randomBytes(6).toString('hex'))
      made.push({ id: randomUUID(), users })
      connection.run(made[c]?.id, ...users, Math.ceil(count / connections))
    }
    const seqs = made.map(() => 0)
    for (let i = 0; i < count; i++) {
      const c = i % connections
      const { id, users } = made[c] as (typeof made)[number]
      const createdAt = startedAt + Math.floor((i * hour) / count)
      seqs[c] = (seqs[c] as number) + 1
      message.run(randomUUID(), id, seqs[c], users[i % 2], users[0], content(i), createdAt, createdAt + 24 * hour)
    }
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return folder
}

const { values: options } = parseArgs({ options: { messages: { type: 'string', default: '1000000' } } })
const count = Number(options.messages)
const folder = await filledFolder(count)
const delay = monitorEventLoopDelay({ resolution: 1 })
const { core, close } = await createApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn', DEMO: '0' }))
const countRemaining = async () =>
  (await core.db.read.get<{ n: number }>('select count(*) as n from (select 1 from messages limit 1)'))?.n ?? 0
delay.enable()
const start = performance.now()
while ((await countRemaining()) > 0) await sleep(100)
delay.disable()
const seconds = (performance.now() - start) / 1000
await close()
rmSync(folder, { recursive: true, force: true })
const ms = (value: number) => (value / 1e6).toFixed(1)
console.log(`${count} expired messages destroyed in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`)
console.log(
  `event-loop delay: p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms (target under 20), most ${ms(delay.max)} ms`,
)
