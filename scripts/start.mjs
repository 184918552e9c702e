import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWebClient } from './webClient.mjs'
import { run } from './child.mjs'
import { nodeFlags } from './nodeFlags.mjs'
import { install } from './install.mjs'
import { inProject, pinnedNode, projectEnv, runMain } from './project.mjs'
import { welcome } from './welcome.mjs'

/** File in the data folder that marks that the demo accounts were created, so this happens only once. */
const seededMark = 'demo-accounts-made'

/** Starts the server with the project's own Node; calls `started` with the facts that it reports once it listens. */
function serve(started) {
  const child = spawn(pinnedNode, [...nodeFlags(), inProject('packages', 'server', 'src', 'main.ts')], {
    env: projectEnv({ LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const stop = () => child.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  // npm runs scripts in a shell that passes no signal on, so we stop the server when our parent process changes.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || stop(), 500).unref()
  child.once('message', (facts) => {
    child.disconnect()
    started(facts)
  })
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Creates the demo accounts, with keys, as a browser would. A retry keeps the results of an earlier attempt. */
async function seed({ url, dataDir, demo }) {
  const mark = join(dataDir, seededMark)
  if (existsSync(mark)) return true
  const { code, output } = await run(pinnedNode, [inProject('scripts', 'seedDemo.ts'), url, JSON.stringify(demo)], {
    quiet: true,
  })
  if (code === 0) writeFileSync(mark, '')
  else console.error(`The demo accounts could not be made; the next start tries again.\n${output}`)
  return code === 0
}

await runMain(async () => {
  if (existsSync(inProject('.env'))) process.loadEnvFile(inProject('.env'))
  await install()
  await buildWebClient()
  return serve((facts) => void welcome(facts, seed, console.log))
})
