import { notificationTexts as texts } from '../texts.ts'

export interface NotificationTarget {
  connectionId?: string
  /** Its entry in the bell, which opening reads. */
  notificationId?: string
}

const tag = 'privity'
const icon = '/icons/icon-192.png'

/**
 * Shows a browser notification without the message's content, because the text leaves the browser for the system's list
 * of notifications. Uses the service worker if there is one, because phones require it.
 */
export async function showBrowserNotification(
  body: string,
  place: NotificationTarget,
  open: (place: NotificationTarget) => void,
): Promise<void> {
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

/** Closes shown notifications once the application is visible. */
export async function closeBrowserNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
}

/** Calls `open` for clicks on the service worker's notifications. Returns a function that stops it. */
export function onNotificationClick(open: (place: NotificationTarget) => void): () => void {
  const listener = ({ data }: MessageEvent<{ type?: string; place?: NotificationTarget }>) => {
    if (data.type === 'open' && data.place) open(data.place)
  }
  navigator.serviceWorker?.addEventListener('message', listener)
  return () => navigator.serviceWorker?.removeEventListener('message', listener)
}
