import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const reporter = join(root, 'scripts', 'retries.mjs')

interface Retries {
  retriedTests(report: object): string[]
  summaryLines(counts: { passed: number; failed: number; skipped: number }, retried: string[]): string
}
const { retriedTests, summaryLines } = (await import(reporter)) as Retries

test('the tests of a Vitest run that passed only when tried again are named, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-retries-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'some.test.js'),
    `let tries = 0
     describe('a group', () => {
       test('falls once', () => expect(++tries).toBe(2))
       test('holds', () => {})
       test('falls', () => expect(1).toBe(2))
       test.runIf(false)('is left out', () => {})
     })`,
  )
  const file = join(folder, 'retries.json')
  const args = ['run', '--root', folder, '--globals', '--retry=1', `--reporter=${reporter}`]
  const env = { PATH: process.env['PATH'], RETRIED_TESTS_FILE: file }
  const run = promisify(execFile)(process.execPath, [join(root, 'node_modules', '.bin', 'vitest'), ...args], { env })
  await expect(run).rejects.toMatchObject({ code: 1 })
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(['some.test.js: a group > falls once'])
})

test('of a run of Playwright too', () => {
  const spec = (title: string, status: string) => ({ title, file: 'a.spec.ts', tests: [{ status }] })
  const inner = { specs: [spec('falls once', 'flaky'), spec('holds', 'expected')] }
  const report = {
    suites: [{ specs: [spec('first', 'flaky')], suites: [inner] }, { specs: [spec('falls', 'unexpected')] }],
  }
  expect(retriedTests(report)).toEqual(['a.spec.ts: first', 'a.spec.ts: falls once'])
})

test('a run ends with its counts, and with the names of what a second try hides', () => {
  expect(summaryLines({ passed: 3, failed: 0, skipped: 0 }, [])).toBe('3 passed, 0 failed')
  expect(summaryLines({ passed: 3, failed: 1, skipped: 2 }, ['cluster: a', 'journeys: b'])).toBe(
    '3 passed, 1 failed, 2 skipped\n2 passed only on a retry:\n  cluster: a\n  journeys: b',
  )
})
