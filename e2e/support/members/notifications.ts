import type { BrowserContext, Locator, Page } from '@playwright/test'

export const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ })

export const list = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' })

/** The row of the list that contains these words. */
export const row = (page: Page, words: string): Locator => list(page).getByRole('listitem').filter({ hasText: words })

export async function openList(page: Page): Promise<void> {
  await bell(page).click()
  await list(page).waitFor()
}

export interface Shown {
  title: string
  body: string
}

/**
 * Permits this browser notifications, and collects them instead of showing them, from the page and from the service
 * worker.
 */
export async function gatherBrowserNotifications(context: BrowserContext, origin: string): Promise<Shown[]> {
  const shown: Shown[] = []
  await context.grantPermissions(['notifications'], { origin })
  await context.exposeFunction('gather', (title: string, body: string) => void shown.push({ title, body }))
  await context.addInitScript(() => {
    // An empty page is no secure context and has no notifications.
    if (!isSecureContext) return
    const { gather } = globalThis as unknown as { gather: (title: string, body?: string) => Promise<void> }
    ServiceWorkerRegistration.prototype.showNotification = (title, options) => gather(title, options?.body)
    globalThis.Notification = new Proxy(Notification, {
      construct(_target, [title, options]: [string, NotificationOptions?]) {
        void gather(title, options?.body)
        return new EventTarget()
      },
    })
  })
  return shown
}

/** Simulates switching to another tab or back, which a browser without a window cannot do. */
export async function setVisible(page: Page, visible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    visible ? 'visible' : 'hidden',
  )
}

/** Changes settings of the signed-in account; every tab is notified. */
export async function setPreferences(page: Page, preferences: Record<string, boolean | string>): Promise<void> {
  const status = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/preferences', { method: 'PATCH', headers, body: JSON.stringify(body) })).status
  }, preferences)
  if (status !== 200) throw new Error(`The settings were answered with ${status}.`)
}

/** Counts the notes that this page plays. */
export async function countNotes(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { notes: number }
    counted.notes = 0
    globalThis.OscillatorNode = new Proxy(OscillatorNode, {
      construct(target, given: ConstructorParameters<typeof OscillatorNode>) {
        counted.notes += 1
        return new target(...given)
      },
    })
  })
  return () => page.evaluate(() => (globalThis as unknown as { notes: number }).notes)
}
