import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createApp } from '../../packages/server/src/app.ts'
import { loadConfig } from '../../packages/server/src/core/config/config.ts'
import { hashToken } from '../../packages/server/src/core/sessions/sessions.ts'

const minute = 60_000
const day = 24 * 60 * minute
const span = 20 * 60 * minute

/**
 * Spread evenly over the last 20 hours, oldest first: filling a database takes time, and no row may leave the 24 hours
 * meanwhile.
 */
const timeOf = (at: number, count: number, now: number) => now - span + Math.floor((at * span) / count)

/** A server with `count` messages and as many security events of one day, `people` members online, and its founder. */
export async function monitoredServer(count: number, people: number) {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  const config = loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn', DEMO: '0' })
  await (await createApp(config)).close()
  const db = new Database(join(folder, 'privity.db'))
  db.pragma('synchronous = OFF')
  const now = Date.now()
  const organization = db.prepare<[], { id: string }>('select id from organizations').get()?.id ?? ''
  const user = db.prepare(`insert into users (id, username, email, first_name, last_name, role, organization_id,
    connection_code, password_hash, is_active, created_at) values (?, ?, ?, 'A', 'B', 'user', ?, ?, 'none', 1, ?)`)
  const session = db.prepare(`insert into sessions (id, user_id, token_hash, created_at, last_used_at, address, device)
    values (?, ?, ?, ?, ?, '', '')`)
  const message = db.prepare(`insert into messages (id, connection_id, seq, sender_id, envelope_id, content,
    message_type, created_at, expires_at) values (?, ?, ?, ?, '', ?, 'text', ?, ?)`)
  const event = db.prepare(`insert into security_events (id, event_type, severity, user_id, address, created_at)
    values (?, 'failed_sign_in', 'low', ?, '10.0.0.1', ?)`)
  const minutes = db.prepare(`insert into message_minutes (minute, process, messages) values (?, '', 1)
    on conflict (minute, process) do update set messages = messages + 1`)
  const [content, token] = [randomBytes(150).toString('base64url'), randomBytes(32).toString('base64url')]
  db.transaction(() => {
    const ids = Array.from({ length: people }, () => randomUUID())
    for (const [at, id] of ids.entries()) {
      user.run(id, `member.${at}`, `member.${at}@example.com`, organization, `code${at}`, now)
      session.run(randomUUID(), id, randomBytes(32).toString('hex'), now, now - (at % 3) * minute)
    }
    for (let at = 0; at < count; at++) {
      const [sent, sender] = [timeOf(at, count, now), ids[at % people] as string]
      message.run(randomUUID(), `c${at % people}`, at, sender, content, sent, sent + day)
      minutes.run(Math.floor(sent / minute))
      event.run(randomUUID(), sender, sent)
    }
    db.prepare(`insert into founder_sessions (id, token_hash, created_at, last_used_at, address, device)
      values (?, ?, ?, ?, '', '')`).run(randomUUID(), hashToken(token), now, now)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const { app, core, close } = await createApp(config, { rateLimits: { other: { requests: 1e9, window: 1e9 } } })
  const cookie = `${core.founderSessions.cookieName}=${token}`
  return {
    /** Milliseconds from the call to its response, and milliseconds of processor time used meanwhile. */
    async get(url: string): Promise<{ wall: number; processor: number; body: Record<string, unknown> }> {
      const [start, used] = [performance.now(), process.cpuUsage()]
      const answer = await app.inject({ method: 'GET', url, headers: { cookie } })
      const { user: inCode, system } = process.cpuUsage(used)
      const wall = performance.now() - start
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode} ${answer.body}`)
      return { wall, processor: (inCode + system) / 1000, body: answer.json() }
    },
    async stop() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
