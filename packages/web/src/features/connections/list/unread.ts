import { limits } from '@privity/contract/limits'

/** What the badge shows: the number, and '9+' above 9. */
export function unreadBadge(count: number): string {
  return count > limits.unreadBadge ? `${limits.unreadBadge}+` : String(count)
}

/** What the badge is called for a screen reader. */
export function unreadName(count: number): string {
  return count > limits.unreadBadge ? `${limits.unreadBadge} or more unread` : `${count} unread`
}
