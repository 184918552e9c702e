import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { runTool } from './child.mjs'
import { findChromium, findHeadlessShell } from './chromium.mjs'
import { install } from './install.mjs'
import { inProject, Refusal } from './project.mjs'
import { retriedTests, summaryLines } from './retries.mjs'
import { inTestFolder } from './testFolder.mjs'

const results = inProject('.cache', 'test')
const counts = { passed: 0, failed: 0, skipped: 0 }
/** Tests that passed only on a retry, each with its step and name. */
const retried = []

/** Runs one of the installed tools; any finding fails the step. Its output is shown in one piece. */
export async function runCheck(name, ...args) {
  const { code, output } = await runTool(name, args, { quiet: true })
  if (output.trim()) console.log(`${name}:\n${output.trimEnd()}`)
  if (code !== 0) throw new Refusal(`${name} found something. It is above.`)
}

const resultPath = (file) => inProject('.cache', 'test', file)

const timeoutMs = 30 * 60_000

function readResults(file, code) {
  if (code === 124) throw new Refusal('The tests took longer than half an hour and were ended. Their output is above.')
  if (!existsSync(resultPath(file)))
    throw new Refusal('The tests ended before they could report. Their output is above.')
  return JSON.parse(readFileSync(resultPath(file), 'utf8'))
}

/** Runs Vitest and counts the tests; `name` keeps the result files of several runs apart. */
export async function runVitest(name, args = [], env = {}) {
  const given = [
    'run',
    ...args,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${resultPath(`${name}.json`)}`,
    `--reporter=${inProject('scripts', 'retries.mjs')}`,
  ]
  const ownEnv = { ...env, RETRIED_TESTS_FILE: resultPath(`${name}.retries.json`) }
  const { code } = await inTestFolder((folder) =>
    runTool('vitest', given, { env: { ...folder, ...ownEnv }, timeout: timeoutMs, whole: true }),
  )
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = readResults(`${name}.json`, code)
  const retriedHere = readResults(`${name}.retries.json`, code)
  counts.passed += numPassedTests - retriedHere.length
  counts.failed += numFailedTests
  counts.skipped += numPendingTests + numTodoTests
  retried.push(...retriedHere.map((test) => `${name}: ${test}`))
  if (code !== 0) throw new Refusal(`Tests failed (${name}). They are above.`)
}

/** Runs the browser journeys and counts them. */
export async function runPlaywright(name, args = [], env = {}) {
  const programs = { CHROMIUM_PATH: await findChromium() }
  const shell = await findHeadlessShell()
  if (shell) programs.HEADLESS_SHELL_PATH = shell
  const given = ['test', '--config', 'e2e', ...args, '--reporter=list,json']
  // Keeps Playwright's transpiled files outside the test folder, which is deleted.
  const cacheEnv = { PWTEST_CACHE_DIR: inProject('.cache', 'playwright') }
  const ownEnv = { ...programs, ...cacheEnv, PLAYWRIGHT_JSON_OUTPUT_NAME: resultPath(`${name}.json`), ...env }
  const { code } = await inTestFolder((folder) =>
    runTool('playwright', given, { env: { ...folder, ...ownEnv }, timeout: timeoutMs, whole: true }),
  )
  const report = readResults(`${name}.json`, code)
  const { expected, unexpected, skipped } = report.stats
  counts.passed += expected
  counts.failed += unexpected
  counts.skipped += skipped
  retried.push(...retriedTests(report).map((test) => `${name}: ${test}`))
  if (code !== 0) throw new Refusal(`Browser journeys failed (${name}). They are above.`)
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

function printSummary(lines) {
  console.log(`\n${lines.join('\n')}`)
  console.log(`\n${summaryLines(counts, retried)}`)
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
 * code. The steps in `parallel` run first and concurrently, because each of them leaves a processor idle.
 */
export async function runSteps(steps, chosen, parallel = []) {
  const unknown = chosen.find((name) => !(name in steps))
  if (unknown) throw new Refusal(`There is no step '${unknown}'. The steps are: ${Object.keys(steps).join(', ')}.`)
  const begun = performance.now()
  await install()
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const lines = [`install   ${seconds(begun)}`]
  const selected = Object.keys(steps).filter((name) => chosen.length === 0 || chosen.includes(name))
  const first = selected.filter((name) => parallel.includes(name))
  const turns = [first, ...selected.filter((name) => !first.includes(name)).map((name) => [name])]
  for (const names of turns) {
    if (names.length === 0) continue
    console.log(`\n— ${names.join(', ')}`)
    const succeeded = await Promise.all(names.map((name) => runStep(name, steps[name], lines)))
    if (succeeded.includes(false)) {
      printSummary(lines)
      return 1
    }
  }
  lines.push(`in all    ${seconds(begun)}`)
  printSummary(lines)
  return 0
}
