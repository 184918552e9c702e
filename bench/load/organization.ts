import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes, randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import { createApp } from '../../packages/server/src/app.ts'
import { loadConfig } from '../../packages/server/src/core/config/config.ts'
import { hashToken } from '../../packages/server/src/core/sessions/sessions.ts'
import { nameKey, searchWords } from '../../packages/server/src/core/userNames.ts'

const firstNames = [
  'Amara',
  'Ben',
  'Chloé',
  'Dmitri',
  'Elif',
  'Farah',
  'Goran',
  'Hanna',
  'Iker',
  'Jürgen',
  'Kofi',
  'Lena',
]
const lastNames = [
  'Osei',
  'Ito',
  'Müller',
  'Novak',
  "O'Neill",
  'Petrov',
  'Quist',
  'Rossi',
  'Silva',
  'Tanaka',
  'Uzun',
  'Weiß',
]
const units = ['berlin', 'accra', 'osaka', 'lima', 'oslo', 'turin', 'porto', 'quito', 'riga', 'sofia']
const day = 24 * 60 * 60 * 1000

/** User `at` of many: names repeat, as in real organizations, and a number makes them unique. */
function userAt(at: number) {
  const firstName = firstNames[at % firstNames.length] as string
  const lastName = `${lastNames[Math.floor(at / firstNames.length) % lastNames.length] as string}-${at}`
  const username = `member.${at}`
  return { firstName, lastName, username, email: `${username}@${units[at % units.length] as string}.example.com` }
}

/** The part of a page of users that we read. */
interface Page {
  next: string | null
}

/**
 * A server with an organization of `count` users, the cookies of its administrator and the founder, and a function that
 * removes it.
 */
export async function filledOrganization(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  const config = loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn', DEMO: '0' })
  await (await createApp(config)).close()
  const db = new Database(join(folder, 'privity.db'))
  db.pragma('synchronous = OFF')
  const organization = db.prepare<[], { id: string }>('select id from organizations').get()?.id ?? ''
  const insert = db.prepare(`insert into users (id, username, email, first_name, last_name, role, organization_id,
    connection_code, password_hash, is_active, created_at, name_key, wrapped_account_key, pins)
    values (?, ?, ?, ?, ?, ?, ?, ?, 'none', ?, ?, ?, ?, ?)`)
  const word = db.prepare('insert into user_words (user_id, word, organization_id, name_key) values (?, ?, ?, ?)')
  // As long as the rows that browsers create.
  const [wrapped, pins] = [randomBytes(60).toString('base64url'), randomBytes(700).toString('base64url')]
  const token = randomBytes(32).toString('base64url')
  const now = Date.now()
  db.transaction(() => {
    for (let at = 0; at < count; at++) {
      const [id, user] = [randomUUID(), userAt(at)]
      const { username, email, firstName, lastName } = user
      const role = at === 0 ? 'super_admin' : at % 200 === 0 ? 'org_admin' : 'user'
      const code = randomBytes(9).toString('hex')
      const joined = now - Math.floor(((count - at) * 300 * day) / count)
      const name = [username, email, firstName, lastName, role]
      insert.run(id, ...name, organization, code, at % 20 === 7 ? 0 : 1, joined, nameKey(user), wrapped, pins)
      for (const each of searchWords(user)) word.run(id, each, organization, nameKey(user))
      if (at === 0)
        db.prepare(`insert into sessions (id, user_id, token_hash, created_at, last_used_at, address, device)
          values (?, ?, ?, ?, ?, '', '')`).run(randomUUID(), id, hashToken(token), now, now)
    }
    db.prepare(`insert into founder_sessions (id, token_hash, created_at, last_used_at, address, device)
      values (?, ?, ?, ?, '', '')`).run(randomUUID(), hashToken(token), now, now)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const { app, core, close } = await createApp(config, { rateLimits: { other: { requests: 1e9, window: 1e9 } } })
  return {
    /** Measures processor time, which is independent of other load on the machine. */
    async get(url: string): Promise<{ ms: number; body: Page }> {
      const start = process.cpuUsage()
      const answer = await app.inject({
        method: 'GET',
        url,
        headers: {
          cookie: [core.sessions, core.founderSessions].map((kind) => `${kind.cookieName}=${token}`).join('; '),
        },
      })
      const { user, system } = process.cpuUsage(start)
      const ms = (user + system) / 1000
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode} ${answer.body}`)
      return { ms, body: answer.json<Page>() }
    },
    async stop() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
