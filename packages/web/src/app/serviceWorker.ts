import { createStore } from '@privity/client/store'
import { trustedScript } from '../browser/trustedTypes.ts'

const checkIntervalMs = 60 * 60_000
const activationTimeoutMs = 3_000

let registration: ServiceWorkerRegistration | undefined
let isRegistering = false

/** Loads the new version; undefined while there is none or the user has postponed it. */
export const update = createStore<(() => void) | undefined>(undefined)

const ownEntry = () => entryOfPage(document, location.origin)

function entryOf(worker: ServiceWorker): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data }: MessageEvent<string>) => {
      port1.close()
      resolve(new URL(data, location.origin).href)
    })
    port1.start()
    worker.postMessage({ type: 'entry' }, [port2])
  })
}

/** Activates a waiting worker of this page's own version at once; offers any other version to the user. */
async function considerWaiting(worker: ServiceWorker): Promise<void> {
  const activate = () => worker.postMessage({ type: 'activate' })
  if ((await entryOf(worker)) === ownEntry()) return activate()
  update.set(() => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && location.reload())
    activate()
    // Reload even if the old worker does not give way: pages come from the network first.
    setTimeout(() => location.reload(), activationTimeoutMs)
  })
}

/** Another tab activated a new version: this tab keeps its own until the user reloads it. */
async function considerNew(worker: ServiceWorker): Promise<void> {
  if ((await entryOf(worker)) !== ownEntry()) update.set(() => location.reload())
}

function follow(found: ServiceWorkerRegistration): void {
  registration = found
  const watch = (worker: ServiceWorker | null) => {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && found.active) void considerWaiting(worker)
      if (worker.state === 'activated') void considerNew(worker)
    })
  }
  if (found.waiting) void considerWaiting(found.waiting)
  for (const worker of [found.waiting, found.installing]) watch(worker)
  found.addEventListener('updatefound', () => watch(found.installing))
  setInterval(checkForUpdate, checkIntervalMs)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && checkForUpdate())
}

/** Checks for a newer version, which `update` then offers. */
export function checkForUpdate(): void {
  registration?.update().catch(() => {
    // Offline, or the server is starting: the next check tries again.
  })
}

/** Registers the service worker and follows its updates; for members only, as a visitor may never need its files. */
export async function keepServiceWorker(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!import.meta.env.PROD || !workers || isRegistering) return
  isRegistering = true
  try {
    follow(await workers.register(trustedScript('/sw.js'), { updateViaCache: 'none' }))
  } catch (error) {
    isRegistering = false
    console.error(error)
  }
}

interface PageLike {
  documentElement: { dataset: DOMStringMap }
  querySelector(selector: string): Element | null
}

/**
 * Returns the address of a page's entry script. Its name contains a hash of everything it can load, so it identifies
 * the build. The landing page, which is also served when a member reloads '/', names it in `data-code`
 * (prerenderLanding.ts) and has no script element.
 */
export function entryOfPage(page: PageLike, origin: string): string | undefined {
  const [landing] = page.documentElement.dataset.code?.split(' ') ?? []
  const src = landing || page.querySelector('script[type=module][src]')?.getAttribute('src')
  return src ? new URL(src, origin).href : undefined
}
