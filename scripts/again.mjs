import { writeFileSync } from 'node:fs'

/** Vitest's reporter of the tests that passed only when they were tried again: their names, into the file of TRIED_AGAIN. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads it so
export default class {
  onTestRunEnd(modules) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${module.project.name} ${module.relativeModuleId}: ${test.fullName}`.trim()),
    )
    writeFileSync(process.env.TRIED_AGAIN, JSON.stringify(names))
  }
}

/** The same of Playwright's JSON. */
export const triedAgain = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(triedAgain),
]

/** With what a run ends: the counts, and by name what a second try hides. */
export function lastLines({ passed, failed, skipped }, again) {
  const left = skipped > 0 ? `, ${skipped} skipped` : ''
  const tried =
    again.length > 0 ? [`${again.length} passed only when tried again:`, ...again.map((name) => `  ${name}`)] : []
  return [`${passed} passed, ${failed} failed${left}`, ...tried].join('\n')
}
