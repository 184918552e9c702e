import { notificationTexts as texts } from '../texts.ts'

export interface Place {
  connectionId?: string
}

const tag = 'privity'
const icon = '/icons/icon-192.png'

/**
 * Says that something is new and never what: the text leaves the browser's own encryption for the system's list of
 * notifications. By the service worker where there is one: phones take it from nowhere else.
 */
export async function showBrowserNotification(body: string, place: Place, open: (place: Place) => void): Promise<void> {
  const options = { body, tag: place.connectionId ?? tag, icon, data: place }
  const registration = await navigator.serviceWorker?.getRegistration()
  if (registration?.active) return registration.showNotification(texts.product, options)
  const shown = new Notification(texts.product, options)
  shown.addEventListener('click', () => {
    shown.close()
    window.focus()
    open(place)
  })
}

/** What is in sight need not be told any more. */
export async function closeBrowserNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
}

/** Hears of presses on notifications that the service worker has shown, while a tab is open. */
export function hearPlaces(open: (place: Place) => void): () => void {
  const hear = ({ data }: MessageEvent<{ type?: string; place?: Place }>) => {
    if (data.type === 'open' && data.place) open(data.place)
  }
  navigator.serviceWorker?.addEventListener('message', hear)
  return () => navigator.serviceWorker?.removeEventListener('message', hear)
}
