import { randomBytes, randomUUID } from 'node:crypto'
import { createApp } from '../packages/server/src/app.ts'
import { loadConfig } from '../packages/server/src/core/config/config.ts'
import { hashToken } from '../packages/server/src/core/sessions/sessions.ts'
import { filledFolder } from './load/filled.ts'
import { median } from './load/stats.ts'

/**
 * Reading the last 50 messages of a conversation with 1,000,000 messages in the table against 10,000, in turns in one
 * process. Target: at most 1.3 times the time.
 */
const connectionCount = 200
const now = Date.now()
const unlimited = { requests: 1e9, window: 1e9 }

async function prepare(count: number) {
  const filled = await filledFolder(
    count,
    connectionCount,
    (i) => now - 3_600_000 + Math.floor((i * 3_500_000) / count),
  )
  const { app, core, close } = await createApp(loadConfig({ DATA_DIR: filled.folder, LOG_LEVEL: 'warn', DEMO: '0' }), {
    rateLimits: { other: unlimited },
  })
  const asked: { url: string; headers: { cookie: string } }[] = []
  for (const { id, users } of filled.connections) {
    const token = randomBytes(32).toString('base64url')
    const row = {
      id: randomUUID(),
      user_id: users[0],
      token_hash: hashToken(token),
      created_at: now,
      last_used_at: now,
      address: '',
      device: '',
    }
    await core.db.write((tx) => tx.kysely.insertInto('sessions').values(row).execute())
    asked.push({
      url: `/api/connections/${id}/messages?limit=50`,
      headers: { cookie: `${core.sessions.cookieName}=${token}` },
    })
  }
  return {
    async ask(i: number): Promise<number> {
      const start = performance.now()
      const answer = await app.inject({ method: 'GET', ...asked[i % asked.length] })
      const ms = performance.now() - start
      const { length } = answer.json<unknown[]>()
      if (answer.statusCode !== 200 || length !== 50) throw new Error(`${answer.statusCode}, ${length} messages`)
      return ms
    },
    async stop() {
      await close()
      filled.remove()
    },
  }
}

const [few, many] = [await prepare(10_000), await prepare(1_000_000)]
const times: [number[], number[]] = [[], []]
for (let i = 0; i < 2400; i++) {
  const [a, b] = [await few.ask(i), await many.ask(i)]
  if (i >= 400) {
    times[0].push(a)
    times[1].push(b)
  }
}
await Promise.all([few.stop(), many.stop()])
const [of10k, of1m] = [median(times[0]), median(times[1])]
console.log(
  `last 50 messages, median: ${of10k.toFixed(3)} ms with 10,000 in the table, ${of1m.toFixed(3)} ms with 1,000,000`,
)
console.log(`ratio: ${(of1m / of10k).toFixed(2)} (target at most 1.3)`)
