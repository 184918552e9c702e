import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from './client.ts'
import { type Figures, measure, type Plan } from './figures.ts'
import { forgetAtEnd } from './processes.ts'

export const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** A folder for all that a bench makes, removed at its end, with one in it for each server. */
export function benchFolder(): (name: string) => string {
  const root = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  forgetAtEnd(root)
  // The servers run as users of their own, who look for their folders in it.
  chmodSync(root, 0o711)
  return (name) => {
    const folder = join(root, name)
    mkdirSync(folder, { mode: 0o711 })
    return folder
  }
}

/**
 * Measures servers that are prepared, in turns: each round begins with another, so that none is always the first. Memory
 * is measured in the first round only: it hangs on nothing else that runs. What fails, as by a lost message, is left out,
 * said at the end, and the process then ends with 1.
 */
export async function runRounds(targets: readonly Target[], rounds: number, plan: Plan) {
  const failures: string[] = []
  const results = new Map<string, Figures[]>(targets.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < targets.length; k++) {
      const target = targets[(k + 2 * round) % targets.length] as Target
      const tests = plan.tests.filter((test) => round === 0 || test !== 'idle')
      const figures = await measure(target, { ...plan, tests }).catch((error: unknown) => {
        failures.push(`round ${round + 1}, ${target.name}: ${error instanceof Error ? error.message : String(error)}`)
        return undefined
      })
      if (figures === undefined) {
        say(failures.at(-1) as string)
        continue
      }
      results.get(target.name)?.push(figures)
      const { latencies: _latencies, pasts: _pasts, ...short } = figures
      say(`round ${round + 1}, ${target.name}: ${JSON.stringify(short)}`)
    }
  }
  for (const failure of failures) console.error(`Failed: ${failure}`)
  if (failures.length > 0) process.exitCode = 1
  return results
}
