import { Refusal } from '../project.mjs'
import { findOrInstall, findProgram } from '../systemPackages.mjs'

/** Path of the machine's Caddy; on a Debian where this runs as root it is installed if it is missing. */
export async function findCaddy() {
  const found = await findOrInstall(() => findProgram(['caddy']), 'Caddy', ['caddy'])
  if (found) return found
  throw new Refusal(
    'This needs Caddy, and it was not found. Install it (on Debian: apt-get install caddy), then run this again.',
  )
}
