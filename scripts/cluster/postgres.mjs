import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Refusal } from '../project.mjs'
import { findOrInstall } from '../systemPackages.mjs'
import { onFreePorts } from './ports.mjs'

const exec = promisify(execFile)
const versions = '/usr/lib/postgresql'
const isRoot = process.getuid?.() === 0

function newestPrograms() {
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN
  if (!existsSync(versions)) return undefined
  const [newest] = readdirSync(versions)
    .filter((version) => Number(version) >= 15 && existsSync(join(versions, version, 'bin', 'initdb')))
    .sort((one, other) => Number(other) - Number(one))
  return newest && join(versions, newest, 'bin')
}

/**
 * Returns the folder of the machine's PostgreSQL programs. Installs them if they are missing and this runs as root on
 * Debian.
 */
export async function findPostgres() {
  const found = await findOrInstall(newestPrograms, 'PostgreSQL', ['postgresql'])
  if (found) return found
  throw new Refusal(
    'This needs PostgreSQL 15 or newer, and none was found. Install it (on Debian: apt-get install postgresql) ' +
      'or name the folder of its programs in POSTGRES_BIN, then run this again.',
  )
}

/** PostgreSQL refuses to run as root, so root runs it as the user that its package created. */
async function unprivileged() {
  if (!isRoot) return undefined
  const id = async (flag) => Number((await exec('id', [flag, 'postgres'])).stdout)
  try {
    return { uid: await id('-u'), gid: await id('-g') }
  } catch {
    throw new Refusal('PostgreSQL does not run as root, and there is no user "postgres" to run it as.')
  }
}

const settings = (durable) => `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
shared_buffers = 128MB
${durable ? '' : 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n'}
max_wal_size = 1GB
log_min_messages = fatal
log_min_error_statement = panic
`

/**
 * Starts a private PostgreSQL on a free port and in a temporary folder; `url` names its database "privity". `durable:
 * false` skips fsync, for tests that start hundreds of databases. `stop` ends the server and deletes its folder. `halt`
 * and `restart` keep the data; `kill` ends it without a shutdown, like a power cut.
 */
export async function startPostgres({ durable = true } = {}) {
  const bin = await findPostgres()
  const user = await unprivileged()
  const folder = await mkdtemp(join(tmpdir(), 'privity-postgres-'))
  const data = join(folder, 'data')
  if (user) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
  const asUser = { cwd: folder, ...user }
  const options = [
    '-D',
    data,
    '-U',
    'privity',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  await exec(join(bin, 'initdb'), options, asUser)
  await writeFile(join(data, 'postgresql.auto.conf'), settings(durable))

  let server
  async function startOn(port) {
    const until = Date.now() + 60_000
    server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port)], {
      ...asUser,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const child = server
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (part) => {
      output = (output + part).slice(-4000)
    })
    const isReady = () =>
      exec(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q']).then(
        () => true,
        () => false,
      )
    while (!(await isReady())) {
      if (child.exitCode !== null || Date.now() > until) throw new Refusal(`PostgreSQL did not start:\n${output}`)
    }
    return port
  }

  /** SIGINT is a fast shutdown that closes connections; SIGQUIT ends at once without writing what is in memory. */
  function end(signal) {
    const child = server
    if (child.exitCode !== null || child.signalCode !== null) return undefined
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    return exited
  }

  const stop = async () => {
    await end('SIGQUIT')
    await rm(folder, { recursive: true, force: true })
  }
  const halt = () => end('SIGINT')
  let port
  try {
    port = await onFreePorts(1, startOn)
    await exec(join(bin, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'privity', 'privity'])
  } catch (error) {
    await stop()
    throw error
  }
  const start = async () => void (await startOn(port))
  return {
    url: `postgresql://privity@127.0.0.1:${port}/privity`,
    port,
    halt,
    kill: () => end('SIGQUIT'),
    start,
    async restart() {
      await halt()
      await start()
    },
    stop,
  }
}
