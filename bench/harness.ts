import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nodeFlags } from '../scripts/nodeFlags.mjs'
import { benchFolder } from './load/folder.ts'
import { atEnd } from './load/processes.ts'
import { missingPrograms } from './peers/servers.ts'

/**
 * Measures our server with an external load generator, the one in the folder `--from` (default: ../shared/bench beside
 * this project). A copy of it gets adapters for our server on SQLite and on PostgreSQL. It needs root and everything
 * that the generator's peers/install.sh installs. Options of the generator's `run` are passed through, such as
 * `--rounds 2 --tests latency,thr50,thr200`.
 */
const ofRun = ['rounds', 'tests', 'steps', 'seconds', 'window', 'quiet', 'patience', 'noisy', 'retries'] as const
const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: fileURLToPath(new URL('../../shared/bench', import.meta.url)) },
    servers: { type: 'string', default: 'ours-sqlite,ours-pg,ejabberd-pg,prosody-pg,floor-pg' },
    users: { type: 'string', default: '1000' },
    ...(Object.fromEntries(ofRun.map((name) => [name, { type: 'string' }])) as Record<
      (typeof ofRun)[number],
      { type: 'string' }
    >),
  },
})
const { from, users } = options
const forRun = ofRun.flatMap((name) => (options[name] === undefined ? [] : [`--${name}`, options[name]]))

const missing = !existsSync(join(from, 'bench.sh'))
  ? `there is none in ${resolve(from)} (--from FOLDER says where one is)`
  : process.getuid?.() !== 0 && 'its servers are started by root'
if (missing !== false) {
  console.error(`Without a harness: ${missing}.`)
  process.exit()
}

const servers = options.servers
  .split(',')
  .filter((name) => {
    const lacking = missingPrograms(name)
    if (lacking !== undefined) console.error(`Without ${name}: ${lacking}`)
    return lacking === undefined
  })
  .join()

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = benchFolder()
const [harness, state] = [folder('harness'), folder('state')]
cpSync(from, harness, { recursive: true })
symlinkSync(beside('../node_modules'), join(harness, 'node_modules'))
renameSync(join(harness, 'servers.mjs'), join(harness, 'others.mjs'))
writeFileSync(
  join(harness, 'servers.mjs'),
  `import others from './others.mjs'
import { adapterOf } from ${JSON.stringify(new URL('harness/adapter.ts', import.meta.url).href)}
const ours = (kind) => ({
  ctl: [${JSON.stringify(beside('harness/ours.sh'))}, kind],
  state: 'ours-' + kind,
  adapter: () => adapterOf(process.env.BENCH_STATE + '/ours-' + kind + '/run/printed'),
})
export default { ...others, 'ours-sqlite': ours('sqlite'), 'ours-pg': ours('pg') }
`,
)
// Ends the servers on every exit.
atEnd(() => {
  for (const file of globSync(join(state, '*', 'run', '*.pid')))
    try {
      process.kill(Number.parseInt(readFileSync(file, 'utf8')), 'SIGKILL')
    } catch {
      // It has already ended.
    }
})

const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  BENCH_STATE: state,
  HARNESS: harness,
  USERS: users,
  SERVER_SECRET: randomUUID(),
  NODE_FLAGS: nodeFlags(1).join(' '),
}
function take(program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: harness, env, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
take('bash', ['bench.sh', 'prepare', '--servers', servers, '--users', users])
take('bash', ['bench.sh', 'run', '--servers', servers, ...forRun])
take(process.execPath, ['report.mjs', join('results', 'run.jsonl')])
process.exit()
