import { randomFillSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { median } from './compare.ts'
import { fileBytes } from './files.ts'
import type { Bench } from './page.ts'

declare const bench: Bench

/** A line of /proc/PID/status, such as VmRSS or VmHWM (the highest VmRSS since it was last reset), in MiB. */
function status(pid: number, line: string): number {
  const found = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (!found) throw new Error(`/proc/${pid}/status has no ${line}.`)
  return Number(found[1]) / 1024
}

async function renderersOf(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

export interface Memory {
  /** MiB above the start: the peak, and the rest after a garbage collection. */
  highest: number
  live: number
}

/** Memory that `work` adds to the tab's process, which is the renderer that grew most. Linux only. */
async function growth(page: Page, renderers: readonly number[], work: () => Promise<number>): Promise<Memory> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const before = renderers.map((pid) => status(pid, 'VmRSS'))
  // Resets the kernel's high-water mark to now.
  for (const pid of renderers) writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const bytes = await work()
  if (bytes < fileBytes) throw new Error(`Only ${bytes} bytes were encrypted.`)
  const above = (line: string) =>
    Math.max(...renderers.map((pid, index) => status(pid, line) - (before[index] as number)))
  const highest = above('VmHWM')
  await devtools.send('HeapProfiler.collectGarbage')
  return { highest, live: above('VmRSS') }
}

/**
 * Memory of the tab while it encrypts and hashes a 100 MB file from the disk, and while WebCrypto alone encrypts as
 * much. The kernel's high-water mark counts all memory of the process. The file is not in that memory, and the
 * ciphertext is discarded piece by piece. Returns the medians of `runs`.
 */
export async function measureMemory(page: Page, browser: Browser, runs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  try {
    const path = join(folder, 'file')
    writeFileSync(path, randomFillSync(Buffer.alloc(fileBytes)))
    await page.setInputFiles('input', path)
    const renderers = await renderersOf(browser)
    const all: { ours: Memory; bare: Memory }[] = []
    for (let run = 0; run < runs; run++) {
      const ours = await growth(page, renderers, () => page.evaluate(() => bench.encryptChosen()))
      const bare = await growth(page, renderers, () => page.evaluate(() => bench.encryptBare()))
      all.push({ ours, bare })
    }
    const middle = (of: (run: (typeof all)[number]) => number) => median(all.map(of))
    return {
      highest: middle(({ ours }) => ours.highest),
      highestBare: middle(({ bare }) => bare.highest),
      live: middle(({ ours }) => ours.live),
      liveBare: middle(({ bare }) => bare.live),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
