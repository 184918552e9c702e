import { spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { freePort } from './ports.ts'
import { asUser, runOrThrow, start, type Started } from './processes.ts'
import { sleep } from './stats.ts'

const account = 'postgres'
const database = 'bench'

/** Folder of the newest PostgreSQL that Debian has installed on this machine. */
function programs(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .toSorted((a, b) => b - a)
    : []
  if (versions[0] === undefined)
    throw new Error('PostgreSQL is not installed: apt-get install --no-install-recommends postgresql')
  return join(root, String(versions[0]), 'bin')
}

/** Gives a folder to the user that a program runs as, if this process has the right to. */
export function changeOwner(user: string, folder: string): void {
  if (userInfo().uid !== 0) return
  const [uid, gid] = ['-u', '-g'].map((which) => Number(runOrThrow(['id', which, user])))
  chownSync(folder, uid as number, gid as number)
}

export interface Postgres {
  url: string
  port: number
  start(): Promise<void>
  stop(): Promise<void>
  pids(): number[]
  /** Returns the result of a statement, without column names. */
  sql(text: string): string
  /** Runs the database's periodic maintenance now. */
  settle(): void
}

/**
 * Creates a private PostgreSQL on loopback in a new folder, with its default settings for durability (fsync and
 * synchronous_commit on) and text ordered by its bytes. It is not started.
 */
export async function makePostgres(folder: string): Promise<Postgres> {
  const bin = programs()
  const port = await freePort()
  const data = join(folder, 'postgres')
  mkdirSync(data, { mode: 0o700 })
  changeOwner(account, data)
  runOrThrow(
    asUser(account, [join(bin, 'initdb'), '-D', data, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-U', database]),
  )
  appendFileSync(
    join(data, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nmax_connections = 200\n`,
  )
  const ask = ['-h', '127.0.0.1', '-p', String(port), '-U', database]
  let running: Started | undefined
  const postgres: Postgres = {
    url: `postgres://${database}@127.0.0.1:${port}/${database}`,
    port,
    async start() {
      running = start([join(bin, 'postgres'), '-D', data], { user: account, cwd: '/', signal: 'SIGINT' })
      for (let tries = 0; ; tries++) {
        if (spawnSync(join(bin, 'pg_isready'), ['-q', ...ask]).status === 0) return
        if (tries === 300) throw new Error('PostgreSQL did not start')
        await sleep(100)
      }
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
    pids: () => (running === undefined ? [] : [running.pid]),
    sql: (text) => runOrThrow([join(bin, 'psql'), ...ask, '-d', database, '-qAt', '-v', 'ON_ERROR_STOP=1'], text),
    settle: () => void postgres.sql('vacuum analyze;'),
  }
  await postgres.start()
  runOrThrow([join(bin, 'createdb'), ...ask, database])
  await postgres.stop()
  return postgres
}
