import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './child.mjs'

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Path of the first of these programs that the machine has. */
export function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** Installs packages on a Debian where this runs as root, elsewhere nothing; answers what the installation said. */
export async function installPackages(name, packages) {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return ''
  console.log(`Installing ${name} from the system’s packages …`)
  // RUNLEVEL: Debian would start services of its own beside the private ones.
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }, quiet: true }
  await run('apt-get', ['update', '-qq'], options)
  const { output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  return output
}

/** What `find` finds, if need be after installing; undefined where it is not there, with what the installation said shown. */
export async function findOrInstall(find, name, packages) {
  const found = find()
  if (found) return found
  const output = await installPackages(name, packages)
  const installed = find()
  if (!installed && output) console.error(output)
  return installed
}
