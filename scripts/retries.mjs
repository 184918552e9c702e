import { writeFileSync } from 'node:fs'

/** Vitest reporter: writes the names of tests that passed only on a retry to the file named by RETRIED_TESTS_FILE. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads it so
export default class {
  onTestRunEnd(modules) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${module.project.name} ${module.relativeModuleId}: ${test.fullName}`.trim()),
    )
    writeFileSync(process.env.RETRIED_TESTS_FILE, JSON.stringify(names))
  }
}

/** Returns the names of tests in Playwright's JSON report that passed only on a retry. */
export const retriedTests = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(retriedTests),
]

/** Returns the last lines of a run: the counts, and the names of tests that passed only on a retry. */
export function summaryLines({ passed, failed, skipped }, retried) {
  const skippedPart = skipped > 0 ? `, ${skipped} skipped` : ''
  const retriedLines =
    retried.length > 0 ? [`${retried.length} passed only on a retry:`, ...retried.map((name) => `  ${name}`)] : []
  return [`${passed} passed, ${failed} failed${skippedPart}`, ...retriedLines].join('\n')
}
