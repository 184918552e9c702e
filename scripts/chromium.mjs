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
