import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Lighthouse is not a dependency of the project: it is fetched for this measurement. */
const lighthouse = 'lighthouse@13.5.0'
const flags = '--headless=new --no-sandbox --disable-background-networking'
const forms = { mobile: [], desktop: ['--preset=desktop'] }
const metrics = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

interface Report {
  categories: Record<string, { score: number }>
  audits: Record<string, { displayValue?: string }>
}

const folder = mkdtempSync(join(tmpdir(), 'privity-lighthouse-'))
const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
const server = spawn(process.execPath, [main], {
  env: { ...process.env, DEMO: '0', LOG_LEVEL: 'error', PORT: '0', DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
const [{ url }] = (await once(server, 'message')) as [{ url: string }]
try {
  for (const [form, options] of Object.entries(forms)) {
    const file = join(folder, `${form}.json`)
    const { status, stderr } = spawnSync(
      'npm',
      ['exec', '--yes', '--', lighthouse, url, '--quiet', '--output=json', `--output-path=${file}`]
        .concat(`--chrome-flags=${flags}`)
        .concat(options),
      { encoding: 'utf8', env: { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' } },
    )
    if (status !== 0) throw new Error(`Lighthouse did not run:\n${stderr}`)
    const { categories, audits } = JSON.parse(readFileSync(file, 'utf8')) as Report
    const scores = Object.entries(categories).map(([name, { score }]) => `${name} ${Math.round(score * 100)}`)
    const times = metrics.map((name) => `${name} ${audits[name]?.displayValue}`)
    console.log(`${form}: ${scores.join(', ')}\n  ${times.join(', ')}`)
  }
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
