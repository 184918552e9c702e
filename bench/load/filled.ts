import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createApp } from '../../packages/server/src/app.ts'
import { loadConfig } from '../../packages/server/src/core/config/config.ts'
import { sealedContents } from './sealed.ts'

const day = 24 * 60 * 60 * 1000

/** The schema of the real server in a new folder: the server creates its database and is closed again. */
async function newFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  const { close } = await createApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', DEMO: '0' }))
  await close()
  return folder
}

/**
 * A data folder with `count` messages in `connections` connections, written straight into the database. `createdAt`
 * returns the time of message i of `count`, in milliseconds.
 */
export async function filledFolder(count: number, connections: number, createdAt: (i: number) => number) {
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
  const content = sealedContents(randomUUID())
  const made: { id: string; users: [string, string] }[] = []
  db.transaction(() => {
    for (let c = 0; c < connections; c++) {
      const users = [randomUUID(), randomUUID()].toSorted() as [string, string]
      for (const id of users) user.run(id, id, `${id}@example.com`, organization, randomBytes(6).toString('hex'))
      made.push({ id: randomUUID(), users })
      connection.run(made[c]?.id, ...users, Math.ceil(count / connections))
    }
    const seqs = made.map(() => 0)
    for (let i = 0; i < count; i++) {
      const c = i % connections
      const { id, users } = made[c] as (typeof made)[number]
      const at = createdAt(i)
      seqs[c] = (seqs[c] as number) + 1
      message.run(randomUUID(), id, seqs[c], users[i % 2], users[0], content(i), at, at + day)
    }
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return { folder, connections: made, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
