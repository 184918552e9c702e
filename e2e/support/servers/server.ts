import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { s3Env } from '../../../packages/server/test/support/server/s3Env.ts'
import { daytimeZone } from './daytime.ts'
import { createDatabase, databaseEnv, dropDatabase, onPostgres } from './postgres.ts'

const main = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url))

export interface RunningServer {
  origin: string
  dataDir: string
  /** The password generated at the first start; undefined if one is configured. */
  founderPassword: string | undefined
  /** The log output so far. */
  log: () => string
  /** Stops the server and removes its data folder. */
  stop: () => Promise<void>
}

export interface ServerProcess extends RunningServer {
  /** Kills the process (SIGKILL) and starts it again on the same folder and port. */
  crashAndRestart: () => Promise<void>
  /** Stops it, calls `keep` with its data folder, and starts it again on the same folder and port. */
  pause: (keep: (dataDir: string) => Promise<void>) => Promise<void>
  /** Calls `keep` with the data folder before removing it. */
  stop: (keep?: (dataDir: string) => Promise<void>) => Promise<void>
}

interface Facts {
  url: string
  founder: { password?: string }
}

function started(child: ChildProcess, log: () => string): Promise<Facts> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve as (facts: unknown) => void)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${log()}`)))
  })
}

/** Creates a temporary data folder, and on PostgreSQL its database: empty, or a copy of `from`. */
export async function makeDataDir(from?: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-journey-'))
  if (from !== undefined) await cp(from, dataDir, { recursive: true })
  if (onPostgres) await createDatabase(dataDir, from)
  return {
    dataDir,
    async remove() {
      await rm(dataDir, { recursive: true, force: true })
      if (onPostgres) await dropDatabase(dataDir)
    },
  }
}

export const serverEnvironment = (dataDir: string, given: Record<string, string>): Record<string, string> => ({
  DEMO: '0',
  LOG_LEVEL: 'info',
  DATA_DIR: dataDir,
  ...databaseEnv(dataDir),
  ...s3Env(basename(dataDir)),
  ...given,
})

/**
 * Starts the real server in its own process, with a temporary data folder (empty, or a copy of `from`) and a free port.
 */
export async function startServer(given: Record<string, string>, from?: string): Promise<ServerProcess> {
  const { dataDir, remove } = await makeDataDir(from)
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const env = {
    PATH,
    TZ: daytimeZone(),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...serverEnvironment(dataDir, given),
  }
  let output = ''
  const log = () => output

  const launch = async (port: string): Promise<[ChildProcess, Facts]> => {
    const launched = spawn(process.execPath, [main], {
      env: { ...env, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const gather = (part: string) => {
      output += part
    }
    launched.stdout?.setEncoding('utf8').on('data', gather)
    launched.stderr?.setEncoding('utf8').on('data', gather)
    return [launched, await started(launched, log)]
  }

  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  const [firstChild, { url: origin, founder }] = await launch('0')
  let child = firstChild
  return {
    origin,
    dataDir,
    founderPassword: founder.password,
    log,
    async crashAndRestart() {
      await end(child, 'SIGKILL')
      ;[child] = await launch(new URL(origin).port)
    },
    async pause(keep) {
      await end(child, 'SIGTERM')
      await keep(dataDir)
      ;[child] = await launch(new URL(origin).port)
    },
    async stop(keep) {
      await end(child, 'SIGTERM')
      await keep?.(dataDir)
      await remove()
    },
  }
}
