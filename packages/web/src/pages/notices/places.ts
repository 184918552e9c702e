import { navigate } from 'wouter/use-browser-location'
import { idSource } from '@privity/contract/fileRef'
import type { AccountChange, Notification } from '@privity/contract/notifications'
import { showConversation } from '../places/useSelection.ts'
import { sessionsAnchor } from '../places/anchors.ts'

/** Address of the account's list of sessions. */
const sessions = `/account-settings#${sessionsAnchor}`

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
      return notification.current ? openOwnChange(notification.change) : navigate(sessions)
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
