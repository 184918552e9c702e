import { limits } from '@privity/contract/limits'

/** Text of the badge: the number, or '9+' above 9. */
export function unreadBadge(count: number): string {
  return count > limits.unreadBadge ? `${limits.unreadBadge}+` : String(count)
}

/** Accessible name of the badge. */
export function unreadName(count: number): string {
  return count > limits.unreadBadge ? `${limits.unreadBadge} or more unread` : `${count} unread`
}
