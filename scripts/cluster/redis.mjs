import { spawn } from 'node:child_process'
import { Refusal } from '../project.mjs'
import { findOrInstall, findProgram } from '../systemPackages.mjs'
import { freePorts } from './ports.mjs'

const names = ['valkey-server', 'redis-server']

/** The machine's Valkey or Redis; on a Debian where this runs as root Redis is installed if it is missing. */
async function program() {
  const find = () => process.env.VALKEY_PATH || findProgram(names)
  const found = await findOrInstall(find, 'Redis', ['redis-server'])
  if (found) return found
  throw new Refusal(
    'This needs Valkey, or Redis 7 or newer, and neither was found. Install one (on Debian: apt-get install ' +
      'redis-server) or name its program in VALKEY_PATH, then run this again.',
  )
}

/**
 * A private Valkey or Redis on a spare port of this machine, which keeps nothing on the disk. `kill` ends it at once,
 * `start` brings it back on the same port, empty; `password` is asked of every connection.
 */
export async function startRedis({ password } = {}) {
  const path = await program()
  const [port] = await freePorts(1)
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
