import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const inProject = (...parts) => join(root, ...parts)

/** The Node 24 that package-lock.json pins, whatever Node started the script. */
export const pinnedNode = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * The environment in which a child finds the project's own Node and tools before the machine's, and what Node made
 * of its modules before: a server starts in a third of the time.
 */
export const projectEnv = (more = {}) => ({
  NODE_COMPILE_CACHE: inProject('.cache', 'node'),
  ...process.env,
  PATH: [inProject('node_modules', '.bin'), process.env.PATH].join(delimiter),
  ...more,
})

/** Something a person can put right; shown as its sentence, without a stack. */
export class Refusal extends Error {}

/** Runs a script's main function; ends the process with its exit code, or with 1 and the reason. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    console.error(error instanceof Refusal ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
