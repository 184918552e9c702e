import { navigate } from 'wouter/use-browser-location'
import { idSource } from '@privity/contract/fileRef'
import type { AccountChange, Notification } from '@privity/contract/notifications'
import type { DecryptedRequest } from '@privity/client'
import { showConversation } from '../places/useSelection.ts'
import { browsersAnchor, directoryAnchor, sessionsAnchor } from '../places/shownConversation.ts'
import { queryClient } from '../../app/queryClient.ts'
import { pendingKey } from '../../features/files/queries.ts'
import type { OpenedHistory } from '../../features/messages/queries.ts'

/** Address of the account's list of sessions. */
const sessions = `/account-settings#${sessionsAnchor}`

/** Address of the account's list of browsers. */
const browsers = `/account-settings#${browsersAnchor}`

const factors = () => navigate('/privacy-security#twoFactor')

/** Opens the setting that this browser changed. */
function openOwnChange(change: AccountChange): void {
  if (change === 'login_notifications_off') navigate('/privacy-security')
  else if (/^(password|email|recovery_key|keys)_/.test(change)) navigate(sessions)
  else factors()
}

/** Opens the page that a notification refers to. */
export function openNotification(notification: Notification): void {
  switch (notification.kind) {
    case 'signed_in':
      return navigate(sessions)
    case 'second_factor_reset':
      return factors()
    case 'account_locked':
      return navigate(sessions)
    case 'account_changed':
      if (notification.current) return openOwnChange(notification.change)
      return navigate(notification.change === 'session_shared' ? browsers : sessions)
    case 'connection_requested':
      return navigate(`/connection-management#${directoryAnchor}`)
    case 'file_requested':
      return showConversation(notification.connectionId, { review: true })
    case 'key_changed':
      return showConversation(notification.connectionId, { sheet: true })
    case 'connection_created':
    case 'file_decided':
      return showConversation(notification.connectionId)
  }
}

const conversationAnchor = new RegExp(`^#conversation=(${idSource})$`)

/** Opens the conversation named in the address by a browser notification, and removes it from the address. */
export function openAskedConversation(): void {
  const connectionId = conversationAnchor.exec(location.hash)?.[1]
  if (connectionId === undefined) return
  navigate('/', { replace: true })
  showConversation(connectionId)
}

/** A file's name as decrypted by this browser, from a pending request or a loaded conversation. */
export function fileNameOf(filePath: string): string | undefined {
  const pending = queryClient.getQueryData<readonly DecryptedRequest[]>(pendingKey) ?? []
  const asked = pending.find((request) => request.filePath === filePath)?.name
  if (asked !== undefined) return asked
  const histories = queryClient.getQueriesData<OpenedHistory>({
    predicate: ({ queryKey }) => queryKey[0] === '/api/connections' && queryKey[2] === 'messages',
  })
  for (const [, history] of histories) {
    const body = history?.messages.find((message) => message.filePath === filePath)?.body
    if (body?.kind === 'file') return body.name
  }
  return undefined
}
