import { Refusal } from '../project.mjs'
import { findOrInstall, findProgram } from '../systemPackages.mjs'

/** Returns the path of the machine's Caddy. Installs it if it is missing and this runs as root on Debian. */
export async function findCaddy() {
  const found = await findOrInstall(() => findProgram(['caddy']), 'Caddy', ['caddy'])
  if (found) return found
  throw new Refusal(
    'This needs Caddy, and it was not found. Install it (on Debian: apt-get install caddy), then run this again.',
  )
}
