import { existsSync, readFileSync } from 'node:fs'
import { inProject, pinnedNode, Refusal } from './project.mjs'
import { run, runNpm } from './child.mjs'

const minVersion = [20, 19]

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1])) return
  throw new Refusal(
    `Privity is set up with Node ${minVersion.join('.')} or newer; this is Node ${process.versions.node}. ` +
      'Install a newer Node, then run this again.',
  )
}

const readJson = (...path) => {
  const file = inProject(...path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Serializes the dependencies that a manifest declares, for comparison. */
const dependenciesOf = (manifest = {}) =>
  JSON.stringify(
    ['dependencies', 'devDependencies', 'optionalDependencies'].map((kind) =>
      Object.entries(manifest[kind] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )

/**
 * Returns why node_modules does not match package-lock.json, or undefined if it does. npm writes
 * node_modules/.package-lock.json last, so an interrupted installation is detected.
 */
export function findMismatch() {
  const lock = readJson('package-lock.json').packages
  const installed = readJson('node_modules', '.package-lock.json')?.packages
  if (!installed) return 'nothing is installed yet'
  for (const [path, entry] of Object.entries(lock)) {
    if (!path.includes('node_modules/')) {
      if (dependenciesOf(entry) !== dependenciesOf(readJson(path, 'package.json')))
        return `${path || '.'}/package.json has changed`
      continue
    }
    const installedEntry = installed[path]
    if (installedEntry ? installedEntry.version !== entry.version : !entry.optional)
      return `${path} is not at ${entry.version}`
  }
  const extra = Object.keys(installed).find((path) => !lock[path])
  if (extra) return `${extra} is installed but not asked for`
  if (!existsSync(pinnedNode)) return "the project's own Node is missing"
  return undefined
}

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i

async function npm(...args) {
  const { code, output } = await runNpm([...args, '--no-audit', '--no-fund', '--loglevel=error'], { quiet: true })
  if (code === 0) return
  if (code === 127) throw new Refusal('npm was not found. It comes with Node: install it, then run this again.')
  const reason = unreachable.test(output)
    ? 'npm could not reach its package registry. Check the network and npm’s registry setting, then run this again.'
    : `npm ${args[0]} failed. What it said is above.`
  console.error(output)
  throw new Refusal(reason)
}

/**
 * Brings node_modules in line with package-lock.json. Only the install script of `node` runs, which puts the pinned
 * Node in place (`allowScripts` in package.json does the same for npm 11).
 */
export async function install() {
  checkNode()
  const reason = findMismatch()
  if (!reason) return
  console.log(`Installing what package-lock.json asks for (${reason}) …`)
  await npm('ci', '--ignore-scripts', '--include=dev')
  await npm('rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts')
  const expected = `v${readJson('node_modules', 'node', 'package.json').version}`
  const { output } = await run(pinnedNode, ['--version'], { quiet: true })
  if (output.trim() !== expected)
    throw new Refusal(`The project’s own Node did not install: it should be ${expected}, and answers: ${output.trim()}`)
}
