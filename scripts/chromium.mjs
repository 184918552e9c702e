import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './child.mjs'
import { Refusal } from './project.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

function executable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(executable)
}

/** Path of the machine's Chromium; on a Debian where this runs as root it is installed if it is missing. */
export async function chromium() {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && executable('/usr/bin/apt-get')) {
    console.log('Installing Chromium from the system’s packages …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env, quiet: true })
    const { output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      env,
      quiet: true,
    })
    const installed = findChromium()
    if (installed) return installed
    console.error(output)
  }
  throw new Refusal(
    'The browser journeys need Chromium, and none was found. Install it (on Debian: apt-get install chromium) ' +
      'or name one in CHROMIUM_PATH, then run this again.',
  )
}
