import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const isRoot = userInfo().uid === 0
const cleanups: (() => void)[] = []

/** Registers a cleanup for the end of the process. It does not run after SIGKILL (see `asUser`). */
export function onExit(clean: () => void): void {
  prepared ??= prepareMachine()
  cleanups.push(clean)
}

function cleanUp(): void {
  for (const clean of cleanups.splice(0).reverse()) clean()
}

let prepared: { isPinned: boolean } | undefined

/**
 * Pins this process, the load generator, to the second core and raises the limit of open files for ten thousand sockets
 * per side; servers under test are pinned to the first core. Without taskset, nothing is pinned. Runs before the first
 * program starts.
 */
function prepareMachine(): { isPinned: boolean } {
  process.once('exit', cleanUp)
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(signal, () => process.exit(code))
  const self = String(process.pid)
  spawnSync('prlimit', ['--pid', self, '--nofile=200000:200000'], { stdio: 'ignore' })
  return { isPinned: spawnSync('taskset', ['-pc', '1', self], { stdio: 'ignore' }).status === 0 }
}

export const logProgress = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

/**
 * Creates a folder for the files of a bench, removed at its end; the returned function makes a subfolder for each
 * server.
 */
export function benchFolder(): (name: string) => string {
  const root = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  onExit(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  // The servers run as users of their own, who must be able to traverse this folder.
  chmodSync(root, 0o711)
  return (name) => {
    const folder = join(root, name)
    mkdirSync(folder, { mode: 0o711 })
    return folder
  }
}

export interface StartOptions {
  /** The user to run as, if this process is root. */
  user?: string
  cwd?: string
  env?: Record<string, string>
  /** Signal that asks the program to stop; default SIGTERM. */
  signal?: NodeJS.Signals
}

export interface Started {
  pid: number
  child: ChildProcess
  stop(): Promise<void>
}

/** Command line that runs a program as an unprivileged user and ends it with this process, even after SIGKILL. */
export function asUser(user: string | undefined, command: readonly string[]): string[] {
  const rights = isRoot && user !== undefined ? ['--reuid', user, '--regid', user, '--init-groups'] : []
  return process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'KILL', ...rights, ...command] : [...command]
}

/** Starts a program on the first core. */
export function start(command: readonly string[], options: StartOptions = {}): Started {
  const { user, cwd, env, signal = 'SIGTERM' } = options
  prepared ??= prepareMachine()
  const whole = [...(prepared.isPinned ? ['taskset', '-c', '0'] : []), ...asUser(user, command)]
  const [program, ...args] = whole as [string, ...string[]]
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  const append = (part: Buffer) => (output = (output + part.toString()).slice(-4000))
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  let stopping = false
  child.once('exit', (code) => {
    if (!stopping && code !== 0) console.error(`${command.join(' ').slice(0, 200)} ended with ${code}:\n${output}`)
  })
  onExit(() => child.kill('SIGKILL'))
  return {
    pid: child.pid as number,
    child,
    async stop() {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await ended
      clearTimeout(killTimer)
    },
  }
}

/** Starts one of the bench's own servers, which prints the port on which it listens. */
export async function startListening(
  command: readonly string[],
  options: StartOptions,
): Promise<Started & { port: number }> {
  const started = start([process.execPath, ...command], options)
  const port = await new Promise<number>((resolve, reject) => {
    const { child } = started
    if (child.stdout === null) return reject(new Error('no output'))
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"port":')) resolve((JSON.parse(line) as { port: number }).port)
    })
    child.once('exit', (code) => reject(new Error(`${command.join(' ')} ended with ${code}`)))
  })
  return { ...started, port }
}

/** Runs a program to its end and returns its output; throws if it fails. */
export function runOrThrow(command: readonly string[], input?: string): string {
  const [program, ...args] = command as [string, ...string[]]
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(-1000)}`)
  return stdout.trim()
}

/** Process ids of these roots and all their descendants. */
export function treeOf(roots: readonly number[]): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const parent = Number.isInteger(pid) ? Number(fieldsOf(pid)[1]) : Number.NaN
    if (Number.isNaN(parent)) continue
    const others = children.get(parent)
    if (others === undefined) children.set(parent, [pid])
    else others.push(pid)
  }
  const found: number[] = []
  for (let open = [...roots]; open.length > 0; open = open.flatMap((pid) => children.get(pid) ?? []))
    found.push(...open)
  return found
}

/** Fields of /proc/PID/stat after the name; empty if the process has ended. */
function fieldsOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Microseconds of processor time that processes have used so far, over all their threads. */
export function cpuTime(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const fields = fieldsOf(pid)
    if (fields.length > 0) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * 10_000
}

/** KiB of memory that processes hold; a page shared by several counts once. */
export function memoryOf(pids: readonly number[]): number {
  let sum = 0
  for (const pid of pids) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
      sum += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
    } catch {
      // The process ended meanwhile.
    }
  }
  return sum
}

/** Microseconds of processor time used on all cores, by any process. */
export function machineTime(): number {
  const fields = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1]?.split(' ').map(Number) ?? []
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields
  return (user + nice + system + irq + softirq + steal) * 10_000
}
