import { Refusal } from '../project.mjs'
import { findOrInstall, findProgram } from '../systemPackages.mjs'

/** Returns the path of the machine's promtool. Installs it if it is missing and this runs as root on Debian. */
export async function findPromtool() {
  const found = await findOrInstall(() => findProgram(['promtool']), 'promtool', ['prometheus'])
  if (found) return found
  throw new Refusal(
    'This needs promtool, and it was not found. Install it (on Debian: apt-get install prometheus), then run this again.',
  )
}
