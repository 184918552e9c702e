import { expect, type Page } from '@playwright/test'

/** Records the calls that a page makes while the test advances its time. */
export interface Polls {
  /** Advances the page's time second by second, waiting for every pending response in between. */
  run: (seconds: number) => Promise<void>
  /** The seconds since the start at which this path was requested. */
  askedAt: (path: string) => readonly number[]
  /** Holds every response to this path; resolves with the function that releases them. */
  hold: (path: string) => Promise<() => Promise<void>>
}

/** In seconds. */
const step = 1

/** Sockets of each page that wait for a response. */
const unanswered = new WeakMap<Page, Set<unknown>>()

/**
 * Makes the time of a page controllable; call it before the page is opened. It also tracks the page's sockets: if time
 * advances while a response is pending, the page considers the socket dead, and a new one requests everything again.
 */
export async function installClock(page: Page): Promise<void> {
  await page.clock.install()
  const waiting = new Set<unknown>()
  unanswered.set(page, waiting)
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => /"(ping|authenticate)"/.test(String(payload)) && waiting.add(socket))
    socket.on('framereceived', () => waiting.delete(socket))
    socket.on('close', () => waiting.delete(socket))
  })
}

/** Stops the time of a page with an installed clock (`installClock`). */
export async function stopTime(page: Page): Promise<Polls> {
  let second = 0
  const asked = new Map<string, number[]>()
  const pending = new Set<unknown>()
  const held = new Set<string>()
  const waiting = unanswered.get(page) ?? new Set()
  const pathOf = (url: string) => new URL(url).pathname

  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  page.on('request', (request) => {
    const path = pathOf(request.url())
    if (!path.startsWith('/api/')) return
    asked.set(path, [...(asked.get(path) ?? []), second])
    if (!held.has(path)) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))

  return {
    async run(seconds) {
      for (const last = second + seconds; second < last; second += step) {
        await page.clock.runFor(step * 1_000)
        await expect.poll(() => pending.size + waiting.size, { intervals: [5, 20, 100] }).toBe(0)
      }
    },
    askedAt: (path) => asked.get(path) ?? [],
    async hold(path) {
      held.add(path)
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(`**${path}`, async (route) => {
        await released
        await route.continue()
      })
      return async () => {
        held.delete(path)
        const answer = page.waitForResponse((response) => pathOf(response.url()) === path)
        release()
        await answer
        await page.unroute(`**${path}`)
      }
    },
  }
}

/** Seconds between consecutive requests. */
export const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0))

/** Simulates the browser's notice that the tab is in the background, or in front again. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((shown) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => shown })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}
