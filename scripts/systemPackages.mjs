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

/** Path of the first of these programs that the machine has. */
export function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** Debian's packages ask it whether they may start the services they bring. */
const policy = '/usr/sbin/policy-rc.d'

/** No service of the system's own begins beside the private ones. A policy that the machine has stays in force. */
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
/** A machine without a network, or another installation under way, is no reason to wait for ever. */
const patience = [
  'Acquire::Retries=1',
  'Acquire::http::Timeout=20',
  'Acquire::https::Timeout=20',
  'DPkg::Lock::Timeout=120',
]
const apt = (timeout, ...args) =>
  run('apt-get', ['-qq', ...patience.flatMap((option) => ['-o', option]), ...args], { env, quiet: true, timeout })

let updated

/** Why it failed, in the words of apt-get; undefined where it did not. */
async function installPackages(packages) {
  updated ??= apt(3 * minute, 'update')
  const { code: notUpdated, output: lists } = await updated
  const { code, output } = await withoutServices(() =>
    apt(10 * minute, 'install', '-y', '--no-install-recommends', ...packages),
  )
  if (code === 0) return undefined
  if (notUpdated !== 0 || lists.includes('Failed to fetch'))
    return 'the lists of packages could not be fetched. Is there a network?'
  const said = output.split('\n').find((line) => line.startsWith('E: '))
  return said?.slice(3) ?? `apt-get ended with ${code}`
}

/**
 * What `find` finds, on a Debian where this runs as root if need be after installing the packages; undefined where it
 * is not there, with the reason shown if it was tried.
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
