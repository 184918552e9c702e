/**
 * The service worker. It caches the built application, so that it starts without a network, and shows browser
 * notifications. It never stores a user's data: API calls, files and the socket bypass it.
 */
const worker = globalThis as unknown as ServiceWorkerGlobalScope

/** Prepended by the build (plugin.ts). */
declare const SHELL: { version: string; page: string; entry: string; files: string[] }

const prefix = 'privity-shell-'
const cacheName = prefix + SHELL.version

/** Static routing, missing from TypeScript's library: these addresses bypass this worker without waking it. */
interface Routing {
  addRoutes?: (rules: { condition: { urlPattern: string }; source: 'network' }[]) => Promise<void>
}
const past = ['/api/*', '/objects/*', '/ws', '/founder', '/founder/*']

/** The founder console is a separate application and is never cached. */
const isFounders = (path: string) => /^\/(founder(\/|$)|assets\/founder)/.test(path)

async function install(event: ExtendableEvent & Routing): Promise<void> {
  const cache = await caches.open(cacheName)
  // Fetch without credentials: cached content must not depend on the signed-in user.
  const plain = (path: string, accept: string) => {
    const cache = path.startsWith('/assets/') ? 'default' : 'no-cache'
    return new Request(path, { credentials: 'omit', cache, headers: { accept } })
  }
  await cache.addAll([plain(SHELL.page, 'text/html'), ...SHELL.files.map((path) => plain(path, '*/*'))])
  await event.addRoutes?.(past.map((urlPattern) => ({ condition: { urlPattern }, source: 'network' })))
}

/**
 * Deletes old caches except the previous one, because a tab that runs the previous version loads the rest of its code
 * from there. caches.keys() returns caches in order of creation.
 */
async function removeOld(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

async function fromNetworkOrShell(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request)
    // A proxy returns 502 or 504 if the server is down.
    if (answer.status !== 502 && answer.status !== 504) return answer
    return (await caches.match(SHELL.page, { cacheName, ignoreVary: true })) ?? answer
  } catch (error) {
    const shell = await caches.match(SHELL.page, { cacheName, ignoreVary: true })
    if (shell) return shell
    throw error
  }
}

/** Asset names contain a hash of their content, so a cached asset never becomes stale. */
async function fromCacheOrNetwork(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok && answer.type === 'basic') {
    const cache = await caches.open(cacheName)
    await cache.put(request, answer.clone()).catch(() => {})
  }
  return answer
}

worker.addEventListener('install', (event) => event.waitUntil(install(event)))
// Take control of the page that registered this worker, so that the code it loads later comes from the same build.
worker.addEventListener('activate', (event) => event.waitUntil(Promise.all([removeOld(), worker.clients.claim()])))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return
  if (['/api/', '/objects/', '/ws'].some((start) => url.pathname.startsWith(start))) return
  if (isFounders(url.pathname)) return
  if (request.mode === 'navigate') event.respondWith(fromNetworkOrShell(request))
  else if (url.pathname.startsWith('/assets/') || SHELL.files.includes(url.pathname))
    event.respondWith(fromCacheOrNetwork(request))
})

/** A minute is enough for a reload. */
const keptMs = 60_000

/** Handed over by a page that was left, for those that are loaded next: in this memory only, never stored. */
let handedOver: { value: unknown; at: number; forget: () => void } | undefined

/** Keeps this worker alive until the minute has passed. */
function keep(value: unknown): Promise<void> {
  handedOver?.forget()
  return new Promise((resolve) => {
    const forget = () => {
      if (handedOver === own) handedOver = undefined
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(forget, keptMs)
    const own = { value, at: performance.now(), forget }
    handedOver = own
  })
}

function take(port: MessagePort | undefined): void {
  const ageMs = handedOver && performance.now() - handedOver.at
  port?.postMessage(ageMs === undefined || ageMs > keptMs ? undefined : { value: handedOver?.value, ageMs })
}

interface PageMessage {
  type: 'activate' | 'entry' | 'keep' | 'take' | 'forget'
  value?: unknown
}

worker.addEventListener('message', (event) => {
  const { type, value } = event.data as PageMessage
  if (type === 'activate') void worker.skipWaiting()
  else if (type === 'keep') event.waitUntil(keep(value))
  else if (type === 'take') take(event.ports[0])
  else if (type === 'forget') handedOver?.forget()
  else event.ports[0]?.postMessage(SHELL.entry)
})

/** A push in the declarative form, which browsers that know it show by themselves. */
interface PushText {
  notification: { title: string; body: string }
}

/**
 * Shows a push, which has no content. Not while a page is visible, which announces the message itself. A notification
 * that is shown already, perhaps by a hidden page, is replaced and leads where it led.
 */
async function showPush({ notification: { title, body } }: PushText): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window' })
  const members = windows.filter(({ url }) => !isFounders(new URL(url).pathname))
  if (members.some(({ visibilityState }) => visibilityState === 'visible')) return
  const [shown] = await worker.registration.getNotifications()
  const data: unknown = shown?.data ?? {}
  await worker.registration.showNotification(title, {
    body,
    tag: shown?.tag || 'privity',
    icon: '/icons/icon-192.png',
    data,
  })
}

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showPush(event.data.json() as PushText))
})

/** Focuses the application and opens the conversation of the notification. */
async function openPlace(place: { connectionId?: string }): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [first] = windows
  if (!first) {
    const hash = place.connectionId === undefined ? '' : `#conversation=${place.connectionId}`
    return void (await worker.clients.openWindow(`/${hash}`))
  }
  first.postMessage({ type: 'open', place })
  await first.focus()
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPlace(event.notification.data as { connectionId?: string }))
})
