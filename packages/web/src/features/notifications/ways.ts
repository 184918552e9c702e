import type { NotificationKind } from '@privity/contract/notifications'
import type { Permission } from './permission.ts'

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

function isWanted(news: News, wishes: Wishes): boolean {
  switch (news) {
    case 'message':
    case 'file_requested':
    case 'file_decided':
      return wishes.messageNotifications
    case 'connection_created':
      return wishes.connectionNotifications
    // What concerns the safety of the account is always said.
    case 'second_factor_reset':
    case 'signed_in':
    case 'key_changed':
      return true
  }
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
