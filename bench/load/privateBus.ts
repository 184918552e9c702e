import { existsSync } from 'node:fs'
import { freePort, waitUntilOpen } from './ports.ts'
import { start, type Started } from './processes.ts'

export interface PrivateBus {
  url: string
  pids(): number[]
  start(): Promise<void>
  stop(): Promise<void>
}

const programs = ['/usr/bin/valkey-server', '/usr/bin/redis-server']

/** Prepares a private Valkey or Redis on loopback without persistence. It is not started. */
export async function privateBus(): Promise<PrivateBus> {
  const program = programs.find((path) => existsSync(path))
  if (program === undefined) throw new Error('neither Valkey nor Redis is installed: apt-get install redis-server')
  const port = await freePort()
  let running: Started | undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    pids: () => (running === undefined ? [] : [running.pid]),
    async start() {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      running = start([program, ...options], { cwd: '/' })
      await waitUntilOpen(port)
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
  }
}
