import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { buildWebClient } from './webClient.mjs'
import { runTool } from './child.mjs'
import { chromium } from './chromium.mjs'
import { install } from './install.mjs'
import { inProject, Refusal, runMain } from './project.mjs'
import { checkSizes } from './sizes.mjs'

/** `npm test` runs every step; `npm test -- lint unit` only those. */
const chosen = process.argv.slice(2)
const results = inProject('.cache', 'test')
const counts = { passed: 0, failed: 0, skipped: 0, again: 0 }

async function tool(name, ...args) {
  const { code } = await runTool(name, args)
  if (code !== 0) throw new Refusal(`${name} found something. It is above.`)
}

function readResults(file) {
  const path = inProject('.cache', 'test', file)
  if (!existsSync(path)) throw new Refusal('The tests ended before they could report. What they said is above.')
  return JSON.parse(readFileSync(path, 'utf8'))
}

async function unit() {
  const { code } = await runTool(
    'vitest',
    ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${inProject('.cache', 'test', 'unit.json')}`],
    { env: { CHROMIUM_PATH: await chromium() } },
  )
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = readResults('unit.json')
  counts.passed += numPassedTests
  counts.failed += numFailedTests
  counts.skipped += numPendingTests + numTodoTests
  if (code !== 0) throw new Refusal('Tests of the packages failed. They are above.')
}

async function journeys() {
  const { code } = await runTool('playwright', ['test', '--config', 'e2e', '--reporter=list,json'], {
    env: {
      CHROMIUM_PATH: await chromium(),
      PLAYWRIGHT_JSON_OUTPUT_NAME: inProject('.cache', 'test', 'journeys.json'),
    },
  })
  const { expected, unexpected, flaky, skipped } = readResults('journeys.json').stats
  counts.passed += expected
  counts.failed += unexpected
  counts.again += flaky
  counts.skipped += skipped
  if (code !== 0) throw new Refusal('Browser journeys failed. They are above.')
}

const steps = {
  types: () => tool('tsc', '-b', '--pretty'),
  lint: () => tool('oxlint'),
  format: () => tool('oxfmt', '--check', '.'),
  unused: () => tool('knip'),
  unit,
  build: buildWebClient,
  sizes: () => checkSizes().forEach((line) => console.log(line)),
  journeys,
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

function summarise(lines) {
  console.log(`\n${lines.join('\n')}`)
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const again = counts.again > 0 ? `, ${counts.again} passed only when tried again` : ''
  console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}${again}`)
}

await runMain(async () => {
  const unknown = chosen.find((name) => !(name in steps))
  if (unknown) throw new Refusal(`There is no step '${unknown}'. The steps are: ${Object.keys(steps).join(', ')}.`)
  const begun = performance.now()
  await install()
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const lines = [`install   ${seconds(begun)}`]
  for (const [name, step] of Object.entries(steps)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const started = performance.now()
    console.log(`\n— ${name}`)
    try {
      await step()
      lines.push(`${name.padEnd(9)} ${seconds(started)}`)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      lines.push(`${name.padEnd(9)} ${seconds(started)}  FAILED`)
      console.error(`\n${error.message}`)
      summarise(lines)
      return 1
    }
  }
  lines.push(`in all    ${seconds(begun)}`)
  summarise(lines)
  return 0
})
