import { chromium } from './chromium.mjs'
import { runMain } from './project.mjs'
import { checkSizes } from './sizes.mjs'
import { playwright, runSteps, tool, vitest } from './steps.mjs'
import { buildWebClient } from './webClient.mjs'

const steps = {
  types: () => tool('tsc', '-b', '--pretty'),
  lint: () => tool('oxlint'),
  format: () => tool('oxfmt', '--check', '.'),
  unused: () => tool('knip'),
  build: buildWebClient,
  unit: async () => vitest('unit', [], { CHROMIUM_PATH: await chromium() }),
  sizes: () => checkSizes().forEach((line) => console.log(line)),
  journeys: () => playwright('journeys'),
}

/** `npm test` runs every step; `npm test -- lint unit` only these two. */
await runMain(() => runSteps(steps, process.argv.slice(2), ['types', 'lint', 'format', 'unused', 'build']))
