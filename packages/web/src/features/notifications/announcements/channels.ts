import type { NotificationKind } from '@privity/contract/notifications'
import type { Permission } from '../permission.ts'

/** What can be told of: a message, or what the list of notifications holds. */
export type News = 'message' | NotificationKind

/** The user's settings. */
export interface Wishes {
  messageNotifications: boolean
  connectionNotifications: boolean
  soundEnabled: boolean
  pushNotifications: boolean
}

/** Where this tab stands. */
export interface Surroundings {
  visible: boolean
  /** The conversation it is about is what the user is looking at. */
  viewing: boolean
  permission: Permission
}

/** How something new is told. */
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

/** What concerns the safety of the account is always said, and as a warning. */
export const isAboutSafety = (news: News): boolean => aboutSafety.includes(news)

function isWanted(news: News, wishes: Wishes): boolean {
  if (isAboutSafety(news)) return true
  return news === 'connection_created' ? wishes.connectionNotifications : wishes.messageNotifications
}

/** In the page where it is seen, by the browser where it is not; never about a message that the user is looking at. */
export function waysOf(news: News, wishes: Wishes, { visible, viewing, permission }: Surroundings): Ways {
  const seen = news === 'message' && visible && viewing
  const wanted = isWanted(news, wishes) && !seen
  return {
    toast: wanted && visible,
    sound: wanted && wishes.soundEnabled,
    browser: wanted && !visible && wishes.pushNotifications && permission === 'granted',
  }
}
