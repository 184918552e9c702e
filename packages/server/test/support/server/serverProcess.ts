import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { StartFacts } from '../../../src/startFacts.ts'
import { compiledEnv } from './compileCache.ts'
import { databaseEnv } from '../database/testDatabase.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))

export interface ServerProcess {
  child: ChildProcess
  facts: StartFacts
  /** Standard output and error so far. */
  output(): string
  /** Sends the signal; resolves with the exit code, or null if the signal ended the process. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export interface FailedStart {
  code: number | null
  error: string
}

async function launch(given: Record<string, string>) {
  const env = { ...(given['DATA_DIR'] !== undefined && (await databaseEnv(given['DATA_DIR']))), ...given }
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...compiledEnv, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let error = ''
  child.stdout.on('data', (text: Buffer) => void (output += text.toString()))
  child.stderr.on('data', (text: Buffer) => void (error += text.toString()))
  return { child, output: () => output + error, error: () => error }
}

/** Starts the real server as a separate process; resolves once it listens. */
export async function startProcess(env: Record<string, string>): Promise<ServerProcess> {
  const { child, output } = await launch(env)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const facts = await new Promise<StartFacts>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const line = /^\{.*"msg":"privity:started".*\}$/m.exec(output())
      if (line !== null) resolve(JSON.parse(line[0]) as StartFacts)
    })
    void exited.then(() => reject(new Error(`the server ended: ${output()}`)))
  })
  return {
    child,
    facts,
    output,
    async stop(signal) {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** Starts a server that must fail. */
export async function failToStart(env: Record<string, string>): Promise<FailedStart> {
  const { child, error } = await launch(env)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, error: error() }
}
