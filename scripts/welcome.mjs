/**
 * Prints what a person must know once the server listens. `seed` makes the demo accounts, which takes seconds: what is
 * shown only once is printed before, because Ctrl+C may end the start meanwhile.
 */
export async function welcome(facts, seed, print) {
  const { url, demo, founder, invitation } = facts
  const once = []
  if (founder.password)
    once.push(
      `  Founder password   ${founder.username}  ${founder.password}   (shown this once: ${demo ? 'write it down' : 'replace it at /founder'})`,
    )
  if (invitation) once.push(`  First administrator, single use: ${url}/auth#invitation=${invitation}`)
  if (once.length > 0) print(['', ...once].join('\n'))
  const lines = ['', `Privity is ready: ${url}`]
  if (demo && (await seed(facts))) {
    lines.push(
      `  Demo account       ${demo.username}  ${demo.password}`,
      `  The other side     ${demo.other.username}  ${demo.other.password}   (in a second browser)`,
    )
  }
  lines.push('  Ctrl+C stops it.', '')
  print(lines.join('\n'))
}
