import { Refusal } from './project.mjs'
import { findOrInstall, findProgram } from './systemPackages.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Path of the machine's Chromium; on a Debian where this runs as root it is installed if it is missing. */
export async function chromium() {
  const find = () => process.env.CHROMIUM_PATH || findProgram(names)
  const found = await findOrInstall(find, 'Chromium', ['chromium'])
  if (found) return found
  throw new Refusal(
    'The browser journeys need Chromium, and none was found. Install it (on Debian: apt-get install chromium) ' +
      'or name one in CHROMIUM_PATH, then run this again.',
  )
}

/**
 * Path of Chromium's headless shell, installed likewise: Chromium without windows, profiles and all that is kept for them,
 * which takes a third less of the processor. Undefined where there is none, or where CHROMIUM_PATH says what to use.
 */
export async function headlessShell() {
  if (process.env.CHROMIUM_PATH) return undefined
  const find = () => findProgram(['chromium-headless-shell'])
  return findOrInstall(find, 'Chromium’s headless shell', ['chromium-headless-shell'])
}
