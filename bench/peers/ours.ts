import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import type { Target } from '../load/client.ts'
import { start, type Started, startListening } from '../load/processes.ts'
import { connectOurs } from '../load/ourClient.ts'
import { credentialsOf } from '../load/people.ts'
import { makePostgres } from '../load/postgres.ts'
import type { PrivateBus } from '../load/privateBus.ts'
import { nodeFlags } from '../../scripts/nodeFlags.mjs'

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface OurOptions {
  kind: 'sqlite' | 'postgres'
  /** Messages besides the history. */
  messages?: number
  /** Number of processes of the server; more than one needs the bus. */
  processes?: number
  /** Carries notices between processes. */
  bus?: PrivateBus
}

/** Our server as deployed on one core; clients are spread over its processes. */
export async function ours(name: string, folder: string, options: OurOptions): Promise<Target> {
  const { kind, messages = 0, processes = 1, bus } = options
  const postgres = kind === 'postgres' ? await makePostgres(folder) : undefined
  const env = {
    SERVER_SECRET: 'a secret that all processes of a bench share',
    ...(postgres && { DATABASE_URL: postgres.url }),
    ...(bus && { VALKEY_URL: bus.url }),
  }
  const dataOf = (process: number) => join(folder, `data${process}`)
  let running: (Started & { port: number })[] = []
  return {
    name,
    async prepare(users) {
      for (let i = 0; i < processes; i++) mkdirSync(dataOf(i))
      await postgres?.start()
      const filling = ['--users', String(users), '--messages', String(messages)]
      const { child } = start([process.execPath, script('../load/seed.ts'), ...filling], {
        env: { ...env, DATA_DIR: dataOf(0) },
      })
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`the database could not be filled: ${code}`)
      postgres?.settle()
      await postgres?.stop()
    },
    async start() {
      await Promise.all([postgres?.start(), bus?.start()])
      for (let i = 0; i < processes; i++)
        running.push(await startListening([...nodeFlags(1), script('../load/ourServer.ts'), dataOf(i)], { env }))
    },
    async stop() {
      await Promise.all(running.map((each) => each.stop()))
      running = []
      await Promise.all([postgres?.stop(), bus?.stop()])
    },
    connect: (at, address) =>
      // The two members of a pair are on different processes, so that every notice crosses the bus.
      connectOurs(running[at % running.length]?.port ?? 0, credentialsOf(at, 'privity_session'), address),
    async stored() {
      if (postgres) return Number(postgres.sql('select count(*) from messages'))
      const db = new Database(join(dataOf(0), 'privity.db'), { readonly: true })
      const count = db.prepare('select count(*) from messages').pluck().get() as number
      db.close()
      return count
    },
    processes: () => ({
      server: running.map(({ pid }) => pid),
      database: [...(postgres?.pids() ?? []), ...(bus?.pids() ?? [])],
    }),
  }
}
