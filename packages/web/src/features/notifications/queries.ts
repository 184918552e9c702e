import { queryOptions } from '@tanstack/react-query'
import type { Client, NotificationPage } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { isKept, type Notification } from '@privity/contract/notifications'
import { queryClient } from '../../app/queryClient.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

export const notificationsKey = ['/api/notifications'] as const

const known = () => queryClient.getQueryData<NotificationPage>(notificationsKey)

/** Counts notifications that arrived by event, to detect one that arrives during a request. */
let eventCount = 0

/**
 * Refetches as many notifications as are loaded, so that pages opened before stay. If a notification arrives during the
 * request, the response may lack it, so the request is repeated.
 */
export function notificationsQuery(client: Client) {
  return queryOptions<NotificationPage>({
    queryKey: notificationsKey,
    async queryFn() {
      for (;;) {
        const before = eventCount
        const page = await client.notifications.list({ limit: pageLimit(known()?.notifications.length ?? 0) })
        if (eventCount === before) return page
      }
    },
  })
}

const pageLimit = (loaded: number) => Math.min(Math.max(loaded, limits.notificationsPage), limits.notificationsKept)

export const refreshNotifications = () => void queryClient.invalidateQueries({ queryKey: notificationsKey })

function patch(change: (page: NotificationPage) => NotificationPage): void {
  queryClient.setQueryData<NotificationPage>(notificationsKey, (page) => page && change(page))
}

/** Adds a new notification; returns the same page if it is already there. */
export function withNotification(page: NotificationPage, notification: Notification): NotificationPage {
  if (page.notifications.some(({ id }) => id === notification.id)) return page
  return {
    ...page,
    notifications: [notification, ...page.notifications],
    unread: page.unread + (notification.read ? 0 : 1),
  }
}

export function addNotification(notification: Notification): void {
  eventCount += 1
  patch((page) => withNotification(page, notification))
}

/** Marks these notifications as read, all if `ids` is undefined. `unread`: the server's count afterwards. */
export function withRead(page: NotificationPage, ids: readonly string[] | undefined, unread: number): NotificationPage {
  const isRead = (id: string) => ids === undefined || ids.includes(id)
  const notifications = page.notifications.map((each) => (isRead(each.id) ? { ...each, read: true } : each))
  return { ...page, notifications, unread }
}

export async function markRead(client: Client, ids?: string[]): Promise<void> {
  const unread = await client.notifications.markRead(ids)
  patch((page) => withRead(page, ids, unread))
}

export async function removeNotification(client: Client, { id, read }: Notification): Promise<void> {
  await client.notifications.remove(id)
  patch((page) => {
    if (!page.notifications.some((each) => each.id === id)) return page
    const notifications = page.notifications.filter((each) => each.id !== id)
    return { ...page, notifications, unread: Math.max(0, page.unread - (read ? 0 : 1)) }
  })
}

/** The list after clearing it up to `newest`: later notifications stay, and those that cannot be removed now. */
export function withoutCleared(page: NotificationPage, newest: string, now: number, unread: number): NotificationPage {
  return { ...page, notifications: page.notifications.filter((each) => each.id > newest || isKept(each, now)), unread }
}

/** Clears the notifications up to the newest loaded one. */
export async function clearNotifications(client: Client): Promise<void> {
  const newest = known()?.notifications[0]?.id
  if (newest === undefined) return
  const unread = await client.notifications.clear(newest)
  patch((page) => withoutCleared(page, newest, client.now(), unread))
  // Older pages may hold some that cannot be removed.
  refreshNotifications()
}

export async function loadOlder(client: Client): Promise<void> {
  const before = known()?.notifications.at(-1)?.id
  if (before === undefined) return
  const older = await client.notifications.list({ before })
  patch((page) => {
    const have = new Set(page.notifications.map(({ id }) => id))
    const added = older.notifications.filter(({ id }) => !have.has(id))
    return { ...page, notifications: [...page.notifications, ...added], more: older.more }
  })
}

/** Keeps the list current on the client's events: changes in other tabs, expired files, removed connections. */
export function useLiveNotifications(client: Client): void {
  useClientEvents(client, {
    notification: addNotification,
    notifications_changed: refreshNotifications,
    connection_removed: refreshNotifications,
    expired: refreshNotifications,
    resync: refreshNotifications,
  })
}
