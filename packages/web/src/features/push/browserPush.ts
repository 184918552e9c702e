import type { PushState, PushSubscription as StoredSubscription } from '@privity/contract/push'
import type { Permission } from '../../browser/notificationPermission.ts'

/** The subscription as this browser knows it. */
export interface BrowserPush {
  permission: Permission
  /** null: it has none. */
  endpoint: string | null
  /** Whether the member signed in on a shared computer, which must not be notified once they have left. */
  isShared: boolean
}

export type PushStatus = 'on' | 'off' | 'unsupported' | 'unavailable' | 'forbidden' | 'blocked' | 'lost' | 'shared'

/** Whether the member is notified in this browser, and why not. */
export function statusOf(
  { availability, choice, endpoint }: Pick<PushState, 'availability' | 'choice' | 'endpoint'>,
  browser: BrowserPush,
): PushStatus {
  if (availability !== 'available') return availability
  if (browser.isShared) return 'shared'
  if (browser.permission === 'unsupported') return 'unsupported'
  if (browser.permission === 'denied') return 'blocked'
  if (choice !== 'on') return 'off'
  const isSubscribed = endpoint !== null && endpoint === browser.endpoint && browser.permission === 'granted'
  return isSubscribed ? 'on' : 'lost'
}

/** Push needs the service worker, which only a built application has (app/serviceWorker.ts). */
const canSubscribe = (): boolean =>
  import.meta.env.PROD && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

export async function readBrowserPush(isShared: boolean): Promise<BrowserPush> {
  if (!canSubscribe()) return { permission: 'unsupported', endpoint: null, isShared }
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  return { permission: Notification.permission, endpoint: subscription?.endpoint ?? null, isShared }
}

const toBase64url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Subscribes this browser to pushes of the server with this key. Call it only with the permission. */
export async function subscribeBrowser(publicKey: string): Promise<StoredSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready
  const existing = await pushManager.getSubscription()
  // The browser refuses another key beside the one that it has subscribed with.
  if (existing && toBase64url(existing.options.applicationServerKey) !== publicKey) await existing.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  return {
    endpoint: subscription.endpoint,
    p256dh: toBase64url(subscription.getKey('p256dh')),
    auth: toBase64url(subscription.getKey('auth')),
  }
}

export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}
