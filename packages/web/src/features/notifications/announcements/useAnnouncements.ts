import { useEffect, useRef } from 'react'
import type { Client, DecryptedMessage } from '@privity/client'
import type { Notification } from '@privity/contract/notifications'
import { toast, type ToastContent } from '../../../ui/toast/toastStore.ts'
import {
  closeBrowserNotifications,
  onNotificationClick,
  type NotificationTarget,
  showBrowserNotification,
} from './browserNotification.ts'
import { holdInSight, isAnyInSight, claimAnnouncement } from './tabElection.ts'
import { permission } from '../../../browser/notificationPermission.ts'
import { armSound, playTone } from './sound.ts'
import { notificationTexts as texts } from '../texts.ts'
import {
  isAboutSafety,
  type AnnouncedEvent,
  type TabState,
  type Ways,
  waysOf,
  type NotificationPreferences,
} from './channels.ts'
import { markRead } from '../queries.ts'
import { wordsOf } from '../notificationText.ts'

export interface AnnouncementOptions {
  client: Client
  preferences: NotificationPreferences
  /** Id of the shown conversation. */
  shown: () => string | undefined
  /** The contact's name, if this browser knows it. */
  nameOf: (message: DecryptedMessage) => string | undefined
  fileNameOf: (filePath: string) => string | undefined
  /** A toast specific to this notification, if it has one. */
  noticeOf: (notification: Notification) => ToastContent | undefined
  open: (place: NotificationTarget) => void
}

interface Piece {
  id: string
  news: AnnouncedEvent
  connectionId: string | undefined
  toast: ToastContent
}

const isVisible = () => document.visibilityState === 'visible'

function tabState(connectionId: string | undefined, shown: string | undefined): TabState {
  const viewing = connectionId !== undefined && connectionId === shown && document.hasFocus()
  return { visible: isVisible(), viewing, permission: permission.get() }
}

/** Announces outside the page: only if no tab is visible, from one tab, and without content. */
async function announceOutside(
  { id, news, connectionId }: Piece,
  ways: Ways,
  open: (place: NotificationTarget) => void,
): Promise<void> {
  if (await isAnyInSight()) return
  if (!(await claimAnnouncement(id))) return
  if (ways.sound) void playTone()
  if (!ways.browser) return
  const body = news === 'message' ? texts.newMessage : texts.newNotification
  const entry = news === 'message' ? {} : { notificationId: id }
  await showBrowserNotification(body, connectionId === undefined ? entry : { connectionId, ...entry }, open)
}

async function announceHere(piece: Piece, ways: Ways): Promise<void> {
  if (ways.toast) toast({ ...piece.toast, stays: true, announces: true })
  if (ways.sound && (await claimAnnouncement(piece.id))) void playTone()
}

function pieceOf(notification: Notification, { fileNameOf, noticeOf }: AnnouncementOptions): Piece {
  const { id, kind } = notification
  const fileName = 'filePath' in notification ? fileNameOf(notification.filePath) : undefined
  const { title, hint } = wordsOf(notification, fileName)
  const tone = isAboutSafety(kind) ? 'warning' : 'info'
  const connectionId = 'connectionId' in notification ? notification.connectionId : undefined
  const notice = noticeOf(notification) ?? { title, tone, ...(hint ? { description: hint } : {}) }
  return { id, news: kind, connectionId, toast: notice }
}

/** Announces events while the application is open: by toast, tone or browser notification, as the user prefers. */
export function useAnnouncements(options: AnnouncementOptions): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { client } = options

  useEffect(() => {
    function open(place: NotificationTarget): void {
      const { notificationId } = place
      if (notificationId !== undefined)
        markRead(client, [notificationId]).catch((error: unknown) => console.error(error))
      latest.current.open(place)
    }

    function announce(piece: Piece): void {
      const { preferences, shown } = latest.current
      const ways = waysOf(piece.news, preferences, tabState(piece.connectionId, shown()))
      const announcing = isVisible() ? announceHere(piece, ways) : announceOutside(piece, ways, open)
      announcing.catch((error: unknown) => console.error(error))
    }

    function announceMessage(message: DecryptedMessage): void {
      if (message.mine) return
      const name = latest.current.nameOf(message)
      const { id, connectionId } = message
      const description = name === undefined ? {} : { description: texts.newMessageFrom(name) }
      announce({ id, news: 'message', connectionId, toast: { title: texts.newMessage, tone: 'info', ...description } })
    }

    function announceNotification(notification: Notification): void {
      if (!notification.read) announce(pieceOf(notification, latest.current))
    }

    const closeShown = () => {
      if (isVisible()) closeBrowserNotifications().catch((error: unknown) => console.error(error))
    }
    document.addEventListener('visibilitychange', closeShown)
    const offs = [
      client.on('message', announceMessage),
      client.on('notification', announceNotification),
      onNotificationClick(open),
      holdInSight(),
      armSound(),
      () => document.removeEventListener('visibilitychange', closeShown),
    ]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
