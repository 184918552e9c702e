import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './load/stats.ts'

/** Lighthouse is not a dependency of the project: npx downloads it for this measurement. */
const lighthouse = 'lighthouse@13.5.0'
const flags = '--headless=new --no-sandbox --disable-background-networking'
const forms = { mobile: [], desktop: ['--preset=desktop'] }
/** Name, unit and rounding step of each metric. */
const metrics = [
  ['first-contentful-paint', ' ms', 10],
  ['largest-contentful-paint', ' ms', 10],
  ['total-blocking-time', ' ms', 10],
  ['cumulative-layout-shift', '', 0.001],
] as const

/** Number of runs, of which we take the median: other load on the machine moves a single run by several points. */
const runs = 3

interface Report {
  categories: Record<string, { score: number }>
  audits: Record<string, { numericValue?: number }>
}

const folder = mkdtempSync(join(tmpdir(), 'privity-lighthouse-'))
const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
const server = spawn(process.execPath, [main], {
  env: { ...process.env, DEMO: '0', LOG_LEVEL: 'error', PORT: '0', DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
const [{ url }] = (await once(server, 'message')) as [{ url: string }]

/** Undefined if Chromium's trace lacks the beginning of the page (NO_NAVSTART), which occasionally happens. */
function run(options: string[]): Report | undefined {
  const file = join(folder, 'report.json')
  const { status, stderr } = spawnSync(
    'npm',
    ['exec', '--yes', '--', lighthouse, url, '--quiet', '--output=json', `--output-path=${file}`]
      .concat(`--chrome-flags=${flags}`)
      .concat(options),
    { encoding: 'utf8', env: { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' } },
  )
  if (status === 0) return JSON.parse(readFileSync(file, 'utf8')) as Report
  if (stderr.includes('NO_NAVSTART')) return undefined
  throw new Error(`Lighthouse did not run:\n${stderr}`)
}

function measure(options: string[]) {
  const reports: Report[] = []
  let lost = 0
  while (reports.length < runs) {
    const report = run(options)
    if (report) reports.push(report)
    else if (++lost > 2 * runs) throw new Error('Chromium gives no trace that Lighthouse can read.')
  }
  return { reports, lost }
}

try {
  for (const [form, options] of Object.entries(forms)) {
    const { reports, lost } = measure(options)
    const middle = (read: (report: Report) => number) => {
      const values = reports.map(read)
      return `${median(values)} (${Math.min(...values)}–${Math.max(...values)})`
    }
    const names = Object.keys(reports[0]?.categories ?? {})
    const scores = names.map(
      (name) => `${name} ${middle(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100))}`,
    )
    const times = metrics.map(([name, unit, round]) => {
      const value = ({ audits }: Report) => Math.round((audits[name]?.numericValue ?? Number.NaN) / round) * round
      return `${name} ${middle((report) => Number(value(report).toFixed(3)))}${unit}`
    })
    console.log(`${form}: ${scores.join(', ')}\n  ${times.join(', ')}${lost > 0 ? `\n  ${lost} traces lost` : ''}`)
  }
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
