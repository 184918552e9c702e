import { writeFileSync } from 'node:fs'

/** Vitest reporter: writes the names of tests that passed only on a retry to the file named by TRIED_AGAIN. */
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

/** The names of retried tests in Playwright's JSON report. */
export const triedAgain = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(triedAgain),
]

/** The last lines of a run: the counts, then the names of the tests that passed only on a retry. */
export function lastLines({ passed, failed, skipped }, again) {
  const left = skipped > 0 ? `, ${skipped} skipped` : ''
  const tried =
    again.length > 0 ? [`${again.length} passed only when tried again:`, ...again.map((name) => `  ${name}`)] : []
  return [`${passed} passed, ${failed} failed${left}`, ...tried].join('\n')
}
