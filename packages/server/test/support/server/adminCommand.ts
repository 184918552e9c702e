import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiledEnv } from './compileCache.ts'
import { databaseEnv } from '../database/testDatabase.ts'

const program = fileURLToPath(new URL('../../../src/admin.ts', import.meta.url))

export interface Ran {
  code: number | null
  output: string
  error: string
}

/** Runs the operator's command line as a separate process on a data folder. */
export async function runAdmin(
  dataDir: string,
  given: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const database = await databaseEnv(dataDir)
  const child = spawn(process.execPath, [program, ...given], {
    env: { PATH: process.env['PATH'], ...compiledEnv, DATA_DIR: dataDir, ...database, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, error] = ['', '']
  child.stdout.on('data', (text: Buffer) => void (output += text.toString()))
  child.stderr.on('data', (text: Buffer) => void (error += text.toString()))
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, output, error })))
}

/** Runs a command with --json, and expects success. */
export async function adminJson<T>(
  dataDir: string,
  given: readonly string[],
  env?: Record<string, string>,
): Promise<T> {
  const { code, output, error } = await runAdmin(dataDir, [...given, '--json'], env)
  if (code !== 0) throw new Error(`${given.join(' ')} ended with ${code}: ${output}${error}`)
  return JSON.parse(output) as T
}
