import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../project.mjs'
import { findOrInstall, isExecutable } from '../systemPackages.mjs'
import { onFreePorts } from './ports.mjs'
import { writeSwiftConfig } from './swiftConfig.mjs'

const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'python3-swift', 'memcached']
/** Debian's own Python: another one on the PATH would not find the Swift packages. */
const python = '/usr/bin/python3'
const memcached = '/usr/bin/memcached'
const program = fileURLToPath(new URL('oneSwift.py', import.meta.url))
const bucket = 'privity-files'

const isInstalled = () =>
  [memcached, ...['proxy', 'account', 'container', 'object'].map((kind) => `/usr/bin/swift-${kind}-server`)].every(
    isExecutable,
  )

/** Throws if OpenStack Swift is missing. Before that, installs it if this runs as root on Debian. */
export async function findSwift() {
  if (await findOrInstall(isInstalled, 'OpenStack Swift', packages)) return
  throw new Refusal(
    'The tests of files on S3 need OpenStack Swift, and it was not found. Install it (on Debian: apt-get install ' +
      `--no-install-recommends ${packages.join(' ')}), then run this again.`,
  )
}

/** The user that the servers run as: `nobody` if this runs as root. */
async function unprivileged() {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const own = process.getuid?.() ?? 0
  const [user, , uid, gid] = lines.find(([name, , id]) => (own === 0 ? name === 'nobody' : Number(id) === own)) ?? []
  if (user === undefined) throw new Refusal('OpenStack Swift needs a user with a name to run as.')
  return { user, ...(own === 0 ? { ids: { uid: Number(uid), gid: Number(gid) } } : {}) }
}

async function createBucket(endpoint, { accessKeyId, secretAccessKey }) {
  const login = { 'x-storage-user': accessKeyId, 'x-storage-pass': secretAccessKey }
  const { headers } = await fetch(`${endpoint}/auth/v1.0`, { headers: login })
  const token = headers.get('x-auth-token')
  if (token === null) throw new Error('Swift gave no token')
  const response = await fetch(`${headers.get('x-storage-url')}/${bucket}`, {
    method: 'PUT',
    headers: { 'x-auth-token': token },
  })
  if (!response.ok) throw new Error(`Swift refused the bucket: ${response.status}`)
}

async function waitUntilReady(endpoint, keys, ended) {
  const until = Date.now() + 60_000
  for (;;) {
    try {
      return await createBucket(endpoint, keys)
    } catch (error) {
      if (ended() || Date.now() > until) throw error
      await wait(100)
    }
  }
}

async function launch(proxy, account, container, object, cache) {
  const folder = await mkdtemp(join(tmpdir(), 'privity-swift-'))
  const { user, ids } = await unprivileged()
  const ports = { proxy, account, container, object }
  const keys = { accessKeyId: 'test:tester', secretAccessKey: randomBytes(24).toString('hex'), region: 'us-east-1' }
  await mkdir(join(folder, 'devices', 'disk'), { recursive: true })
  await writeSwiftConfig(folder, { ports, memcached: cache, user, keys })
  if (ids) for (const path of ['.', 'devices', 'devices/disk']) await chown(join(folder, path), ids.uid, ids.gid)
  await chmod(folder, 0o700)

  const log = openSync(join(folder, 'log'), 'a')
  // The program's text instead of its path: an unprivileged user may not be able to read the project's folder.
  const args = ['-c', await readFile(program, 'utf8'), folder, ...[...Object.values(ports), cache].map(String)]
  const env = { PATH: '/usr/bin:/bin' }
  const child = spawn(python, args, { ...ids, cwd: folder, stdio: ['ignore', log, log], env })
  closeSync(log)
  const exited = once(child, 'exit')
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const kill = async () => {
    killNow()
    await exited
    process.off('exit', killNow)
  }
  const stop = async () => {
    await kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  const endpoint = `http://127.0.0.1:${proxy}`
  const ended = () => child.exitCode !== null || child.signalCode !== null
  try {
    await waitUntilReady(endpoint, keys, ended)
  } catch (error) {
    const output = await readFile(join(folder, 'log'), 'utf8')
    await stop()
    throw new Error(`OpenStack Swift did not start.\n${output}`, { cause: error })
  }
  return { endpoint, bucket, ...keys, stop, kill }
}

/**
 * Starts a private S3 server on loopback with an empty bucket: one node of OpenStack Swift in a temporary folder.
 * `stop` ends it and deletes its data; `kill` ends it at once and keeps the data.
 */
export async function startS3() {
  await findSwift()
  return onFreePorts(5, launch)
}
