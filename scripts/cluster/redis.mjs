import { spawn } from 'node:child_process'
import { Refusal } from '../project.mjs'
import { findOrInstall, findProgram } from '../systemPackages.mjs'
import { onFreePorts } from './ports.mjs'

const names = ['valkey-server', 'redis-server']

/** Finds the machine's Valkey or Redis. Installs Redis if neither is there and this runs as root on Debian. */
export async function findRedis() {
  const find = () => process.env.VALKEY_PATH || findProgram(names)
  const found = await findOrInstall(find, 'Redis', ['redis-server'])
  if (found) return found
  throw new Refusal(
    'This needs Valkey, or Redis 7 or newer, and neither was found. Install one (on Debian: apt-get install ' +
      'redis-server) or name its program in VALKEY_PATH, then run this again.',
  )
}

/**
 * Starts a private Valkey or Redis on a free port, without persistence. `kill` ends it at once; `start` brings it back
 * on the same port, empty. With `password`, every connection must authenticate.
 */
export async function startRedis({ password } = {}) {
  const path = await findRedis()
  let server

  async function startOn(port) {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/']
    if (password) options.push('--requirepass', password)
    server = spawn(path, options, { stdio: ['ignore', 'pipe', 'pipe'] })
    const child = server
    let output = ''
    await new Promise((resolve, reject) => {
      const append = (part) => {
        output = (output + part).slice(-4000)
        if (output.includes('Ready to accept connections')) resolve()
      }
      child.stdout.setEncoding('utf8').on('data', append)
      child.stderr.setEncoding('utf8').on('data', append)
      const fail = () => reject(new Refusal(`Redis did not start:\n${output}`))
      child.once('exit', fail).once('error', fail)
    })
    return port
  }

  async function end(signal) {
    const child = server
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }

  const port = await onFreePorts(1, startOn)
  const start = async () => void (await startOn(port))
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
