import { Refusal } from '../project.mjs'
import { findOrInstall, findProgram } from '../systemPackages.mjs'

/** Path of the machine's promtool; on a Debian where this runs as root it is installed if it is missing. */
export async function findPromtool() {
  const found = await findOrInstall(() => findProgram(['promtool']), 'promtool', ['prometheus'])
  if (found) return found
  throw new Refusal(
    'This needs promtool, and it was not found. Install it (on Debian: apt-get install prometheus), then run this again.',
  )
}
