import { parseArgs } from 'node:util'
import { withPage } from '../packages/e2ee/test/support/browser.ts'
import type { Comparison } from './e2ee/compare.ts'
import { measureFiles } from './e2ee/files.ts'
import { measureMemory } from './e2ee/memory.ts'
import { measureMessages } from './e2ee/messages.ts'
import type { Bench } from './e2ee/page.ts'

/**
 * Our encryption against WebCrypto's primitives over the same bytes, in Node and in Chromium, as ratios of one run; and
 * the tab's memory. Targets: 0.7 for messages, 0.8 for files, and at most 64 MiB of memory beyond the file itself.
 * `--rounds 200` for messages and `--files 7` for files; `--files 0` skips files.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, files: { type: 'string', default: '7' } },
})
const [messageRounds, fileRounds] = [Number(values.rounds), Number(values.files)]

declare const bench: Bench

const targets: Record<string, number> = { message: 0.7, file: 0.8 }

function report(where: string, comparisons: readonly Comparison[]): void {
  for (const { name, bare, ours, ratio, lowest, highest, rounds } of comparisons) {
    const target = name.includes('(beside)') ? undefined : targets[/^\w+/.exec(name)?.[0] ?? '']
    const figures = { ratio: round(ratio), target, bareMs: round(bare), oursMs: round(ours) }
    console.log(JSON.stringify({ where, name, ...figures, lowest: round(lowest), highest: round(highest), rounds }))
  }
}

const round = (value: number) => Number(value.toPrecision(3))

report('node', await measureMessages(messageRounds))
if (fileRounds > 0) report('node', await measureFiles(fileRounds))

await withPage(new URL('e2ee/page.ts', import.meta.url), async (page, browser) => {
  if (fileRounds > 0 && process.platform === 'linux') {
    const memory = Object.entries(await measureMemory(page, browser, 5)).map(([name, value]) => [name, round(value)])
    const name = 'file 100 MB: MiB of the tab above its start'
    console.log(JSON.stringify({ where: 'chromium', name, ...Object.fromEntries(memory) }))
  }
  report('chromium', await page.evaluate((rounds) => bench.measureMessages(rounds), messageRounds))
  if (fileRounds > 0) report('chromium', await page.evaluate((rounds) => bench.measureFiles(rounds), fileRounds))
})
