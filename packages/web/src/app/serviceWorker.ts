import { entryOfPage } from './pageEntry.ts'
import { trustedScript } from '../browser/trustedTypes.ts'
import type { ReadableStore } from '../ui/useStore.ts'

const checkEvery = 60 * 60_000
const patience = 3_000

let registration: ServiceWorkerRegistration | undefined
let asked = false
/** What a press on Reload does, once another version than this page's is there. */
let reload: (() => void) | undefined
const listeners = new Set<() => void>()

function offer(next: (() => void) | undefined): void {
  reload = next
  for (const listener of listeners) listener()
}

/** How to go to the new version; undefined while there is none, or the user has put it off. */
export const update: ReadableStore<(() => void) | undefined> = {
  get: () => reload,
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export const postponeUpdate = (): void => offer(undefined)

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

/** A worker that waits: this page's own version may take its place at once, another one is offered. */
async function considerWaiting(worker: ServiceWorker): Promise<void> {
  const activate = () => worker.postMessage({ type: 'activate' })
  if ((await entryOf(worker)) === ownEntry()) return activate()
  offer(() => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && location.reload())
    activate()
    // Pages come from the network first: the new version comes even where the old worker does not give way.
    setTimeout(() => location.reload(), patience)
  })
}

/** Another tab went to a new version: this one goes on with its own until its user reloads it. */
async function considerNew(worker: ServiceWorker): Promise<void> {
  if ((await entryOf(worker)) !== ownEntry()) offer(() => location.reload())
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
  setInterval(checkForUpdate, checkEvery)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && checkForUpdate())
}

/** Asks the server whether it serves a newer version; what comes of it is told by `update`. */
export function checkForUpdate(): void {
  registration?.update().catch(() => {
    // Offline, or the server is just starting: asked again at the next occasion.
  })
}

/**
 * Registers the service worker and follows it. Only for members: a visitor's first page should load nothing that he
 * may never need.
 */
export async function keepServiceWorker(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!import.meta.env.PROD || !workers || asked) return
  asked = true
  try {
    follow(await workers.register(trustedScript('/sw.js'), { updateViaCache: 'none' }))
  } catch (error) {
    asked = false
    console.error(error)
  }
}
