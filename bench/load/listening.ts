import { createInterface } from 'node:readline'
import { start, type StartOptions, type Started } from './processes.ts'

/** Starts one of the bench's own servers, which prints the port on which it listens. */
export async function startListening(
  script: string[],
  options: StartOptions = {},
  node: readonly string[] = [],
): Promise<Started & { port: number }> {
  const started = start([process.execPath, ...node, ...script], options)
  const port = await new Promise<number>((resolve, reject) => {
    const { child } = started
    if (child.stdout === null) return reject(new Error('no output'))
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"port":')) resolve((JSON.parse(line) as { port: number }).port)
    })
    child.once('exit', (code) => reject(new Error(`${script.join(' ')} ended with ${code}`)))
  })
  return { ...started, port }
}
