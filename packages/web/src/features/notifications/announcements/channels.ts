import type { NotificationKind } from '@privity/contract/notifications'
import type { Permission } from '../permission.ts'

/** Event to announce: a message or an entry of the notification list. */
export type News = 'message' | NotificationKind

/** The user's preferences for notifications. */
export interface Wishes {
  messageNotifications: boolean
  connectionNotifications: boolean
  soundEnabled: boolean
  pushNotifications: boolean
}

/** State of this tab. */
export interface Surroundings {
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

const aboutSafety: readonly News[] = [
  'second_factor_reset',
  'account_changed',
  'account_locked',
  'signed_in',
  'key_changed',
]

/** Whether it is a security event: those are announced whatever the user's preferences, and as warnings. */
export const isAboutSafety = (news: News): boolean => aboutSafety.includes(news)

function isWanted(news: News, wishes: Wishes): boolean {
  if (isAboutSafety(news)) return true
  return news === 'connection_created' ? wishes.connectionNotifications : wishes.messageNotifications
}

/** Channels for an event: a toast in a visible page, else the browser; none for a message in view. */
export function waysOf(news: News, wishes: Wishes, { visible, viewing, permission }: Surroundings): Ways {
  const seen = news === 'message' && visible && viewing
  const wanted = isWanted(news, wishes) && !seen
  return {
    toast: wanted && visible,
    sound: wanted && wishes.soundEnabled,
    browser: wanted && !visible && wishes.pushNotifications && permission === 'granted',
  }
}
