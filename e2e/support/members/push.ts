import { createECDH, randomBytes } from 'node:crypto'
import type { BrowserContext, CDPSession, Page } from '@playwright/test'

/** The host that the journeys' servers send pushes to: its name leads nowhere. */
export const pushHost = 'push.invalid'

/**
 * Lets this browser have notifications, and subscriptions at a push service that does not exist: Chromium would ask the
 * one of Google. `false` from the address means that the browser has lost the subscription.
 */
export async function fakePushService(context: BrowserContext, origin: string): Promise<void> {
  await context.grantPermissions(['notifications'], { origin })
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  const endpoint = `https://${pushHost}/${randomBytes(8).toString('hex')}`
  await context.addInitScript(
    ([address, { p256dh, auth }]) => {
      if (!isSecureContext) return
      const key = 'test.push'
      const bytesOf = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer
      const subscription = (own: string) => ({
        endpoint: own,
        options: { applicationServerKey: bytesOf(localStorage.getItem(`${key}.server`) ?? '') },
        getKey: (name: string) => bytesOf(name === 'auth' ? auth : p256dh),
        async unsubscribe() {
          localStorage.removeItem(key)
          return true
        },
      })
      const own = () => localStorage.getItem(key)
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (own() === null ? null : subscription(own() as string)),
        async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
          const next = `${address}-${Date.now()}`
          localStorage.setItem(key, next)
          localStorage.setItem(`${key}.server`, applicationServerKey)
          return subscription(next)
        },
      })
    },
    [endpoint, keys] as const,
  )
}

/** As if the browser had ended its subscription. */
export const losePushSubscription = (page: Page) => page.evaluate(() => localStorage.removeItem('test.push'))

/** An empty page of the browser, with the developer tools' view of its service workers. */
export async function openDevTools(
  context: BrowserContext,
  origin: string,
): Promise<{ page: Page; deliverPush: (data: string) => Promise<void> }> {
  const page = await context.newPage()
  const tools: CDPSession = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (own) resolve(own.registrationId)
    })
  })
  await tools.send('ServiceWorker.enable')
  return {
    page,
    async deliverPush(data) {
      await tools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
    },
  }
}

/** The notifications of the service worker that are shown, as 'title: body'. */
export async function shownNotifications(context: BrowserContext): Promise<string[]> {
  const [worker] = context.serviceWorkers()
  const shown = await worker?.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`)
  })
  return shown ?? []
}
