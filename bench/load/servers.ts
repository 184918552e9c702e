import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type ServerName = 'ours' | 'floor-each' | 'floor-group' | 'floor-worker'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Two cores: the server gets the first and this process the second, where taskset is to be had. */
const pinned = spawnSync('taskset', ['-pc', '1', String(process.pid)], { stdio: 'ignore' }).status === 0

/** Microseconds of CPU that a process has used so far, all threads; not a number where /proc is not to be had. */
function cpuTime(pid: number): number {
  try {
    const [, user, system] = /^.*\) (?:\S+ ){11}(\d+) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return (Number(user) + Number(system)) * 10_000
  } catch {
    return Number.NaN
  }
}

/** Starts a server on a free port with a new data folder; stop() ends it and removes the folder. */
export async function startServer(name: ServerName) {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  const [, kind] = name.split('-')
  const script = kind ? [file('../floor/server.ts'), kind, folder] : [file('../ours.ts'), folder]
  const command = [process.execPath, ...script]
  if (pinned) command.unshift('taskset', '-c', '0')
  const child = spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"port":')) resolve(JSON.parse(line) as { port: number })
    })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  return {
    port,
    cpu: () => cpuTime(child.pid as number),
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
