import { findChromium } from './chromium.mjs'
import { coreJourneys } from './journeys.mjs'
import { runMain } from './project.mjs'
import { checkSizes } from './sizes.mjs'
import { runPlaywright, runSteps, runCheck, runVitest } from './steps.mjs'
import { buildWebClient } from './webClient.mjs'

const steps = {
  types: () => runCheck('tsc', '-b', '--pretty'),
  lint: () => runCheck('oxlint'),
  format: () => runCheck('oxfmt', '--check', '.'),
  unused: () => runCheck('knip'),
  build: buildWebClient,
  unit: async () => runVitest('unit', [], { CHROMIUM_PATH: await findChromium() }),
  sizes: () => checkSizes().forEach((line) => console.log(line)),
  journeys: () => runPlaywright('journeys', coreJourneys),
}

/** `npm test` runs every step; `npm test -- lint unit` only these two. */
await runMain(() => runSteps(steps, process.argv.slice(2), ['types', 'lint', 'format', 'unused', 'build']))
