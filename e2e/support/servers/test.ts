import { type BrowserContextOptions, type Page, expect, test as base } from '@playwright/test'
import { renewConfirmations } from './database.ts'
import type { Person } from '../members/people.ts'
import { enterPrepared, type Prepared, preparedDataDir } from './prepared.ts'
import type { RunningServer } from './server.ts'
import { createServerHost, type ServerHost } from './serverHost.ts'

export interface Options {
  /** Settings of this test's server, besides a temporary data folder and a free port. */
  serverEnv: Record<string, string>
  /** The state with which the server begins; undefined for an empty one. */
  prepared: Prepared | undefined
  /** Whether browsers may register the service worker, which costs each of them seconds of work. */
  serviceWorker: boolean
}

export interface Journey {
  server: RunningServer
  /** Opens a separate browser, which shares cookies and storage with no other browser. */
  openBrowser: (options?: BrowserContextOptions) => Promise<Page>
  /**
   * Signs Amara or Helen in in this browser, if the server begins with their accounts; resolves with the recovery key.
   */
  enterAs: (page: Page, person: Person) => Promise<string>
  /** Marks a browser error as expected in this journey, such as a refused call that it provokes. */
  expectComplaint: (complaint: RegExp) => void
}

/**
 * Errors that the browser logs in every journey: nobody is signed in on a first visit, and of two browsers of one
 * person that write the list of pins at the same time, one must read it again first.
 */
const always = [/401 \(Unauthorized\) .*\/api\/user$/, /409 \(Conflict\) .*\/api\/keys\/pins$/]

/**
 * Every journey has the real server, and separate browsers that it opens. It fails if a browser logs an error, a script
 * throws, or the Content-Security-Policy is violated.
 */
export const test = base.extend<
  Options & Journey & { complaints: { seen: string[]; expected: RegExp[] } },
  { host: ServerHost }
>({
  serverEnv: [{}, { option: true }],
  prepared: [undefined, { option: true }],
  serviceWorker: [false, { option: true }],

  host: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are used from this pattern
    async ({}, use) => {
      const host = createServerHost()
      await use(host)
      await host.end()
    },
    { scope: 'worker' },
  ],

  server: async ({ host, serverEnv, prepared }, use, info) => {
    const server = await host.start(serverEnv, prepared && preparedDataDir(prepared))
    await use(server)
    await server.stop()
    if (info.status !== info.expectedStatus) await info.attach('server log', { body: server.log() })
  },

  enterAs: async ({ server }, use) =>
    use(async (page, person) => {
      await renewConfirmations(server)
      return enterPrepared(page, server.origin, person)
    }),

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are used from this pattern
  complaints: async ({}, use) => {
    const complaints = { seen: [] as string[], expected: [...always] }
    await use(complaints)
    const unexpected = complaints.seen.filter((text) => !complaints.expected.some((pattern) => pattern.test(text)))
    expect(unexpected, 'what the browsers complained about').toEqual([])
  },

  expectComplaint: async ({ complaints }, use) => {
    await use((complaint) => complaints.expected.push(complaint))
  },

  openBrowser: async ({ browser, server, complaints, serviceWorker }, use, info) => {
    const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = []
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: server.origin, acceptDownloads: true, ...options })
      contexts.push(context)
      // A grant for an origin replaces those of `options`.
      const permissions = ['clipboard-read', 'clipboard-write', ...(options.permissions ?? [])]
      await context.grantPermissions(permissions, { origin: server.origin })
      if (!serviceWorker)
        await context.addInitScript(() => {
          if ('ServiceWorkerContainer' in globalThis)
            ServiceWorkerContainer.prototype.register = () => new Promise(() => {})
        })
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          console.error(`Content-Security-Policy: ${event.violatedDirective} refused ${event.blockedURI}`)
        })
      })
      context.on('console', (message) => {
        if (message.type() === 'error') complaints.seen.push(`${message.text()} ${message.location().url}`)
      })
      context.on('weberror', (error) => complaints.seen.push(`${error.error().stack}`))
      return context.newPage()
    })
    if (info.status !== info.expectedStatus)
      for (const page of contexts.flatMap((context) => context.pages()))
        await info.attach('screen', { body: await page.screenshot(), contentType: 'image/png' })
    for (const context of contexts) await context.close()
  },
})

export { expect }
