import { Refusal } from './project.mjs'
import { findOrInstall, findProgram } from './systemPackages.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Returns the path of the machine's Chromium. Installs it if it is missing and this runs as root on Debian. */
export async function findChromium() {
  const find = () => process.env.CHROMIUM_PATH || findProgram(names)
  const found = await findOrInstall(find, 'Chromium', ['chromium'])
  if (found) return found
  throw new Refusal(
    'The browser journeys need Chromium, and none was found. Install it (on Debian: apt-get install chromium) ' +
      'or name one in CHROMIUM_PATH, then run this again.',
  )
}

/**
 * Returns the path of Chromium's headless shell, which needs a third less processor time than Chromium because it has
 * no windows and profiles. Installs it likewise. Undefined if there is none, or if CHROMIUM_PATH is set.
 */
export async function findHeadlessShell() {
  if (process.env.CHROMIUM_PATH) return undefined
  const find = () => findProgram(['chromium-headless-shell'])
  return findOrInstall(find, 'Chromium’s headless shell', ['chromium-headless-shell'])
}
