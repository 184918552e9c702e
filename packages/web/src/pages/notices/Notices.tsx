import { lazy, Suspense, useCallback, useEffect } from 'react'
import type { DecryptedMessage } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import type { Notification } from '@privity/contract/notifications'
import { ClockNotice, UpdateNotice } from '../../app/screens/Notices.tsx'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { queryClient } from '../../app/queryClient.ts'
import { checkForUpdate, keepServiceWorker } from '../../app/serviceWorker.ts'
import { useClient, useUser } from '../../app/session.ts'
import { fullName } from '../../i18n/names.ts'
import { connectionsKey, otherParty } from '../../features/connections/queries.ts'
import type { NotificationTarget } from '../../features/notifications/announcements/browserNotification.ts'
import { useAnnouncements } from '../../features/notifications/announcements/useAnnouncements.ts'
import { shownConversation } from '../places/shownConversation.ts'
import { showConversation } from '../places/useSelection.ts'
import { keepNoticeFocus } from './keepNoticeFocus.ts'
import { LostWorkNotice } from './LostWorkNotice.tsx'
import { fileNameOf, openAskedConversation } from './notificationTarget.ts'
import { useLock } from '../../features/lock/useLock.ts'
import { useLiveNotifications } from '../../features/notifications/queries.ts'
import { fileTexts } from '../../features/files/texts.ts'
import type { ToastContent } from '../../ui/toast/toastStore.ts'

const PushKeeper = lazy(async () => ({
  default: (await import('../../features/push/PushKeeper.tsx')).PushKeeper,
}))

/** A toast specific to the notification, for decisions on file requests. */
export function noticeOf(notification: Notification): ToastContent | undefined {
  if (notification.kind !== 'file_decided') return undefined
  const { decision, who, filePath } = notification
  return {
    title: fileTexts.decided[decision](fullName(who)),
    description: fileTexts.decidedHint[decision](fileNameOf(filePath) ?? fileTexts.theFile),
    tone: decision === 'approved' ? 'success' : 'info',
  }
}

const open = ({ connectionId }: NotificationTarget) => {
  if (connectionId !== undefined) showConversation(connectionId)
}

/** Handles announcements on every page of a member, and keeps the service worker registered and updated. */
export function Notices() {
  const client = useClient()
  const { id } = useUser()
  const { preferences, policy } = usePreferences()
  const nameOf = useCallback(
    ({ connectionId }: DecryptedMessage) => {
      const connections = queryClient.getQueryData<readonly Connection[]>(connectionsKey)
      const connection = connections?.find((each) => each.id === connectionId)
      return connection && fullName(otherParty(connection, id))
    },
    [id],
  )
  useLiveNotifications(client)
  useLock(client, policy.lockAfter)
  useAnnouncements({ client, preferences, shown: shownConversation, nameOf, fileNameOf, noticeOf, open })

  useEffect(() => {
    openAskedConversation()
    void keepServiceWorker()
    // After an outage, the server may run a newer version.
    return client.on('resync', checkForUpdate)
  }, [client])

  return (
    <>
      <div ref={keepNoticeFocus} className="update-region" role="status">
        <UpdateNotice />
        <ClockNotice client={client} />
        <LostWorkNotice client={client} />
      </div>
      <Suspense>
        <PushKeeper client={client} />
      </Suspense>
    </>
  )
}
