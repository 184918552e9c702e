/**
 * Starts the server: environment -> app -> listen -> drain. Standard output holds the log, one JSON line per entry.
 * Facts for a person are sent to the parent process as the message `StartFacts`; without such a channel they are a log
 * line whose `msg` is `privity:started`, at any log level. A start that fails prints its reason to standard error and
 * exits with 1.
 */
import { errorText } from './core/log.ts'
import type { StartFacts } from './startFacts.ts'

// Files that the server writes are readable by their owner only.
process.umask(0o077)

const minVersion = [24, 7] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1])) {
  console.error(
    `Privity runs on Node ${minVersion.join('.')} or newer; this is Node ${process.versions.node}. ` +
      'Run "npm start" in the project folder: it uses the Node that the project brings.',
  )
  process.exit(1)
}

function reportStart(facts: StartFacts): void {
  if (process.send !== undefined) process.send(facts)
  else process.stdout.write(`${JSON.stringify({ level: 30, time: Date.now(), msg: 'privity:started', ...facts })}\n`)
}

async function start(): Promise<void> {
  // Imported after the check: an older Node has no built-in SQLite and would fail at the import without a reason.
  const { run } = await import('./run.ts')
  const server = await run(process.env)

  let stopping = false
  const finish = async () => {
    await server.drain()
    // Uploads still under way after this time are aborted and leave nothing behind.
    setTimeout(() => server.cutOff(), server.drainTime).unref()
    await server.close()
    process.exit(0)
  }
  const stop = () => {
    if (stopping) return
    stopping = true
    finish().catch(fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  reportStart(server.facts)
  server.printed()
}

function fail(error: unknown): void {
  const expectedErrors = [
    'ConfigError',
    'DataDirInUse',
    'DatabaseUnusable',
    'CannotListen',
    'StorageRefused',
    'NoSpaceLeft',
  ]
  const known = error instanceof Error && expectedErrors.includes(error.name)
  console.error(known ? error.message : errorText(error))
  process.exit(1)
}

process.on('uncaughtException', fail)
start().catch(fail)
