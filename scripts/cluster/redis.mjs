import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { run } from '../child.mjs'
import { Refusal } from '../project.mjs'

const names = ['valkey-server', 'redis-server']

function executable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function find() {
  if (process.env.VALKEY_PATH) return process.env.VALKEY_PATH
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(executable)
}

/** The machine's Valkey or Redis; on a Debian where this runs as root Redis is installed if it is missing. */
async function program() {
  const found = find()
  if (found) return found
  if (process.getuid?.() === 0 && executable('/usr/bin/apt-get')) {
    console.log('Installing Redis from the system’s packages …')
    // Debian would start a server of its own beside the private one.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    await run('apt-get', ['update', '-qq'], { env, quiet: true })
    const { output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], {
      env,
      quiet: true,
    })
    const installed = find()
    if (installed) return installed
    console.error(output)
  }
  throw new Refusal(
    'This needs Valkey, or Redis 7 or newer, and neither was found. Install one (on Debian: apt-get install ' +
      'redis-server) or name its program in VALKEY_PATH, then run this again.',
  )
}

const sparePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/**
 * A private Valkey or Redis on a spare port of this machine, which keeps nothing on the disk. `kill` ends it at once,
 * `start` brings it back on the same port, empty; `password` is asked of every connection.
 */
export async function startRedis({ password } = {}) {
  const path = await program()
  const port = await sparePort()
  let server

  async function start() {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/']
    if (password) options.push('--requirepass', password)
    server = spawn(path, options, { stdio: ['ignore', 'pipe', 'pipe'] })
    const child = server
    let said = ''
    await new Promise((resolve, reject) => {
      const hear = (part) => {
        said = (said + part).slice(-4000)
        if (said.includes('Ready to accept connections')) resolve()
      }
      child.stdout.setEncoding('utf8').on('data', hear)
      child.stderr.setEncoding('utf8').on('data', hear)
      child.once('exit', () => reject(new Refusal(`Redis did not start:\n${said}`)))
    })
  }

  async function end(signal) {
    const child = server
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  await start()
  const secret = password ? `:${encodeURIComponent(password)}@` : ''
  return {
    url: `redis://${secret}127.0.0.1:${port}`,
    port,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async restart() {
      await end('SIGKILL')
      await start()
    },
  }
}
