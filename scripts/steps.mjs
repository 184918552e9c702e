import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { lastLines, triedAgain } from './again.mjs'
import { runTool } from './child.mjs'
import { chromium, headlessShell } from './chromium.mjs'
import { install } from './install.mjs'
import { inProject, Refusal } from './project.mjs'
import { inTestFolder } from './testFolder.mjs'

const results = inProject('.cache', 'test')
const counts = { passed: 0, failed: 0, skipped: 0 }
/** Tests that passed only on a retry, each with its step and name. */
const again = []

/** Runs one of the installed tools; any finding fails the step. Its output is shown in one piece. */
export async function tool(name, ...args) {
  const { code, output } = await runTool(name, args, { quiet: true })
  if (output.trim()) console.log(`${name}:\n${output.trimEnd()}`)
  if (code !== 0) throw new Refusal(`${name} found something. It is above.`)
}

const pathOf = (file) => inProject('.cache', 'test', file)

/** Time limit of a test run, in milliseconds. */
const longest = 30 * 60_000

function readResults(file, code) {
  if (code === 124)
    throw new Refusal('The tests took longer than half an hour and were ended. What they said is above.')
  if (!existsSync(pathOf(file))) throw new Refusal('The tests ended before they could report. What they said is above.')
  return JSON.parse(readFileSync(pathOf(file), 'utf8'))
}

/** Runs Vitest and counts the tests; `name` keeps the result files of several runs apart. */
export async function vitest(name, args = [], env = {}) {
  const given = [
    'run',
    ...args,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${pathOf(`${name}.json`)}`,
    `--reporter=${inProject('scripts', 'again.mjs')}`,
  ]
  const ownEnv = { ...env, TRIED_AGAIN: pathOf(`${name}.again.json`) }
  const { code } = await inTestFolder((folder) =>
    runTool('vitest', given, { env: { ...folder, ...ownEnv }, timeout: longest, whole: true }),
  )
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = readResults(`${name}.json`, code)
  const tried = readResults(`${name}.again.json`, code)
  counts.passed += numPassedTests - tried.length
  counts.failed += numFailedTests
  counts.skipped += numPendingTests + numTodoTests
  again.push(...tried.map((test) => `${name}: ${test}`))
  if (code !== 0) throw new Refusal(`Tests failed (${name}). They are above.`)
}

/** Runs the browser journeys and counts them. */
export async function playwright(name, args = [], env = {}) {
  const programs = { CHROMIUM_PATH: await chromium() }
  const shell = await headlessShell()
  if (shell) programs.HEADLESS_SHELL_PATH = shell
  const given = ['test', '--config', 'e2e', ...args, '--reporter=list,json']
  // Keeps Playwright's transpiled files outside the test folder, which is deleted.
  const kept = { PWTEST_CACHE_DIR: inProject('.cache', 'playwright') }
  const ownEnv = { ...programs, ...kept, PLAYWRIGHT_JSON_OUTPUT_NAME: pathOf(`${name}.json`), ...env }
  const { code } = await inTestFolder((folder) =>
    runTool('playwright', given, { env: { ...folder, ...ownEnv }, timeout: longest, whole: true }),
  )
  const report = readResults(`${name}.json`, code)
  const { expected, unexpected, skipped } = report.stats
  counts.passed += expected
  counts.failed += unexpected
  counts.skipped += skipped
  again.push(...triedAgain(report).map((test) => `${name}: ${test}`))
  if (code !== 0) throw new Refusal(`Browser journeys failed (${name}). They are above.`)
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

function summarise(lines) {
  console.log(`\n${lines.join('\n')}`)
  console.log(`\n${lastLines(counts, again)}`)
}

/** Runs one step and records its duration; resolves with whether it succeeded. */
async function runStep(name, step, lines) {
  const started = performance.now()
  try {
    await step()
    lines.push(`${name.padEnd(9)} ${seconds(started)}`)
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    lines.push(`${name.padEnd(9)} ${seconds(started)}  FAILED`)
    console.error(`\n${error.message}`)
    return false
  }
}

/**
 * Runs the named steps, or all, in sequence until one fails, and ends with a line of counts. Resolves with the exit
 * code. The steps in `atOnce` run first and in parallel, because each of them leaves a processor idle.
 */
export async function runSteps(steps, chosen, atOnce = []) {
  const unknown = chosen.find((name) => !(name in steps))
  if (unknown) throw new Refusal(`There is no step '${unknown}'. The steps are: ${Object.keys(steps).join(', ')}.`)
  const begun = performance.now()
  await install()
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const lines = [`install   ${seconds(begun)}`]
  const wanted = Object.keys(steps).filter((name) => chosen.length === 0 || chosen.includes(name))
  const first = wanted.filter((name) => atOnce.includes(name))
  const turns = [first, ...wanted.filter((name) => !first.includes(name)).map((name) => [name])]
  for (const names of turns) {
    if (names.length === 0) continue
    console.log(`\n— ${names.join(', ')}`)
    const went = await Promise.all(names.map((name) => runStep(name, steps[name], lines)))
    if (went.includes(false)) {
      summarise(lines)
      return 1
    }
  }
  lines.push(`in all    ${seconds(begun)}`)
  summarise(lines)
  return 0
}
