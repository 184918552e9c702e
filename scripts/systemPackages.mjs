import { accessSync, constants, rmSync, writeFileSync } from 'node:fs'
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

/** Returns the path of the first of these programs that the machine has. */
export function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** Debian's packages run this program to ask whether they may start their services. */
const policy = '/usr/sbin/policy-rc.d'

/** Keeps installed packages from starting services beside the private ones. An existing policy stays in force. */
async function withoutServices(task) {
  try {
    writeFileSync(policy, '#!/bin/sh\n# There while packages are installed for tests.\nexit 101\n', {
      flag: 'wx',
      mode: 0o755,
    })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return task()
  }
  try {
    return await task()
  } finally {
    rmSync(policy, { force: true })
  }
}

const minute = 60_000
const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
/** Without them a missing network or a parallel installation would block forever. */
const aptTimeouts = [
  'Acquire::Retries=1',
  'Acquire::http::Timeout=20',
  'Acquire::https::Timeout=20',
  'DPkg::Lock::Timeout=120',
]
const apt = (timeout, ...args) =>
  run('apt-get', ['-qq', ...aptTimeouts.flatMap((option) => ['-o', option]), ...args], { env, quiet: true, timeout })

let updated

/** Returns apt-get's reason for a failure, or undefined on success. */
async function installPackages(packages) {
  updated ??= apt(3 * minute, 'update')
  const { code: notUpdated, output: lists } = await updated
  const { code, output } = await withoutServices(() =>
    apt(10 * minute, 'install', '-y', '--no-install-recommends', ...packages),
  )
  if (code === 0) return undefined
  if (notUpdated !== 0 || lists.includes('Failed to fetch'))
    return 'the lists of packages could not be fetched. Is there a network?'
  const errorLine = output.split('\n').find((line) => line.startsWith('E: '))
  return errorLine?.slice(3) ?? `apt-get ended with ${code}`
}

/**
 * Returns the result of `find`. If it finds nothing and this runs as root on Debian, installs the packages and tries
 * again; if that fails, prints the reason and returns undefined.
 */
export async function findOrInstall(find, name, packages) {
  const found = find()
  if (found || process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return found
  console.log(`Installing ${name} from the system’s packages …`)
  const failed = await installPackages(packages)
  const installed = find()
  if (!installed) console.error(`Installing ${name} failed: ${failed ?? 'its program is not where it should be'}`)
  return installed
}
