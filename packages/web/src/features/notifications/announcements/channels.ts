import type { NotificationKind } from '@privity/contract/notifications'
import type { Permission } from '../../../browser/notificationPermission.ts'

/** Event to announce: a message or an entry of the notification list. */
export type AnnouncedEvent = 'message' | NotificationKind

/** The user's preferences for notifications. */
export interface NotificationPreferences {
  messageNotifications: boolean
  connectionNotifications: boolean
  soundEnabled: boolean
  pushNotifications: boolean
}

/** State of this tab. */
export interface TabState {
  visible: boolean
  /** The user is looking at the conversation that the event belongs to. */
  viewing: boolean
  permission: Permission
}

/** Channels for an announcement. */
export interface Ways {
  toast: boolean
  sound: boolean
  browser: boolean
}

const aboutSafety: readonly AnnouncedEvent[] = [
  'second_factor_reset',
  'account_changed',
  'account_locked',
  'signed_in',
  'key_changed',
]

/** Whether it is a security event: those are announced whatever the user's preferences, and as warnings. */
export const isAboutSafety = (news: AnnouncedEvent): boolean => aboutSafety.includes(news)

const aboutConnections: readonly AnnouncedEvent[] = ['connection_created', 'connection_requested']

function isWanted(news: AnnouncedEvent, preferences: NotificationPreferences): boolean {
  if (isAboutSafety(news)) return true
  return aboutConnections.includes(news) ? preferences.connectionNotifications : preferences.messageNotifications
}

/** Channels for an event: a toast in a visible page, else the browser; none for a message in view. */
export function waysOf(
  news: AnnouncedEvent,
  preferences: NotificationPreferences,
  { visible, viewing, permission }: TabState,
): Ways {
  const seen = news === 'message' && visible && viewing
  const wanted = isWanted(news, preferences) && !seen
  return {
    toast: wanted && visible,
    sound: wanted && preferences.soundEnabled,
    browser: wanted && !visible && preferences.pushNotifications && permission === 'granted',
  }
}
