import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import type { Kind } from '../floor/types.ts'
import type { Target } from '../load/client.ts'
import { startListening } from '../load/processes.ts'
import { connectOurs } from '../load/ourClient.ts'
import { credentialsOf } from '../load/people.ts'
import { makePostgres } from '../load/postgres.ts'
import type { Started } from '../load/processes.ts'
import { sendHistory } from '../load/scenarios.ts'

const server = fileURLToPath(new URL('../floor/server.ts', import.meta.url))

/** The floor as a target: the least that does the durable work of our server (../floor). */
export async function floor(name: string, kind: Kind, folder: string): Promise<Target> {
  const postgres = kind === 'pg' ? await makePostgres(folder) : undefined
  let known = 0
  let running: (Started & { port: number }) | undefined
  const target: Target = {
    name,
    async prepare(users) {
      known = users
      await target.start()
      await sendHistory(target)
      postgres?.settle()
      await target.stop()
    },
    async start() {
      await postgres?.start()
      const env = postgres && { FLOOR_URL: postgres.url }
      running = await startListening([server, kind, folder, String(known)], { env })
    },
    async stop() {
      await running?.stop()
      await postgres?.stop()
      running = undefined
    },
    connect: (at, address) => connectOurs(running?.port ?? 0, credentialsOf(at, 'sid'), address),
    async stored() {
      if (postgres) return Number(postgres.sql('select count(*) from messages'))
      const db = new Database(join(folder, 'floor.db'), { readonly: true })
      const count = db.prepare('select count(*) from messages').pluck().get() as number
      db.close()
      return count
    },
    processes: () => ({ server: running ? [running.pid] : [], database: postgres?.pids() ?? [] }),
  }
  return target
}
