import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { isKept, type Notification } from '@privity/contract/notifications'
import { Button } from '../../ui/button/Button.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { keepRowFocus } from '../../ui/keepRowFocus.ts'
import { AfterDelay, Skeleton } from '../../ui/feedback/Progress.tsx'
import { ClearAll } from './ClearAll.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import { clearNotifications, loadOlder, markRead, notificationsQuery, removeNotification } from './queries.ts'
import { notificationTexts as texts } from './texts.ts'
import { useStore } from '../../ui/useStore.ts'
import { askPermission, permission } from '../../browser/notificationPermission.ts'
import { QueryError } from '../../app/QueryError.tsx'
import { toastError } from '../../app/callError.ts'
import './notifications.css'

export interface NotificationListProps {
  client: Client
  /** The file's name, if this browser has decrypted it. */
  fileNameOf: (filePath: string) => string | undefined
  onOpen: (notification: Notification) => void
  /** The user's preference for browser notifications. */
  browserWanted: boolean
}

/** Shows an error as a toast and leaves the list unchanged. */
async function attempt(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => toastError(error, texts.notChanged))
}

function Loading() {
  return (
    <div className="notice-loading" role="status">
      <span className="sr">{texts.loading}</span>
      <AfterDelay>
        {[68, 82, 74].map((width) => (
          <div key={width} className="notice-skeleton">
            <Skeleton width={22} height={22} borderRadius="50%" />
            <Skeleton width={`${width}%`} height={14} />
          </div>
        ))}
      </AfterDelay>
    </div>
  )
}

export function NotificationList({ client, fileNameOf, onOpen, browserWanted }: NotificationListProps) {
  const page = useQuery(notificationsQuery(client))
  const [busy, setBusy] = useState(false)
  const { notifications = [], unread = 0, more = false } = page.data ?? {}
  const removable = more || notifications.some((each) => !isKept(each, client.now()))

  async function older() {
    setBusy(true)
    await attempt(loadOlder(client))
    setBusy(false)
  }

  function open(notification: Notification) {
    if (!notification.read) void attempt(markRead(client, [notification.id]))
    onOpen(notification)
  }

  return (
    <>
      <div className="notice-scroll" ref={keepRowFocus}>
        {page.isPending && <Loading />}
        <QueryError query={page} title={texts.notLoaded} />
        {page.isSuccess && notifications.length === 0 && <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>}
        {notifications.length > 0 && (
          <ul>
            {notifications.map((notification) => (
              <NotificationRow
                key={notification.id}
                notification={notification}
                fileName={'filePath' in notification ? fileNameOf(notification.filePath) : undefined}
                now={client.now()}
                onOpen={() => open(notification)}
                onRemove={() => void attempt(removeNotification(client, notification))}
              />
            ))}
          </ul>
        )}
        {more && (
          <div className="notice-more">
            <Button size="sm" busy={busy} onClick={() => void older()}>
              {texts.older}
            </Button>
          </div>
        )}
      </div>
      <div className="notice-foot">
        {notifications.length > 0 && (
          <div className="notice-acts">
            <Button size="sm" variant="ghost" disabled={unread === 0} onClick={() => void attempt(markRead(client))}>
              {texts.markAllRead}
            </Button>
            {removable && <ClearAll onClear={() => attempt(clearNotifications(client))} />}
          </div>
        )}
        <BrowserNotifications wanted={browserWanted} />
      </div>
    </>
  )
}

/** Whether this browser may show notifications and why not, with a button to ask. `wanted`: the user's preference. */
function BrowserNotifications({ wanted }: { wanted: boolean }) {
  const state = useStore(permission)
  const hints = {
    unsupported: texts.browserNone,
    default: texts.browserOff,
    denied: texts.browserBlocked,
    granted: wanted ? texts.browserOn : texts.browserMuted,
  }
  return (
    <div className="notice-browser">
      <p>
        <b>{texts.browser}</b>
        {hints[state]}
      </p>
      {state === 'default' && (
        <Button size="sm" onClick={() => void askPermission()}>
          {texts.turnOn}
        </Button>
      )}
    </div>
  )
}
