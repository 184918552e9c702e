import { createTabText } from '../../browser/sessionStorageText.ts'

/** The token of an invitation link, kept for this tab until it is used or dismissed. */
export const invitation = createTabText('privity.invitation')

/**
 * Read at the start, and taken out of the address bar, history and referrers; answers whether there was one. Links of
 * before have the token in what is sent to the server.
 */
export function takeInvitation(): boolean {
  const address = new URL(location.href)
  const behind = new URLSearchParams(address.hash.slice(1)).get('invitation')
  const token = behind ?? address.searchParams.get('invitation')
  if (token === null) return false
  address.searchParams.delete('invitation')
  if (behind !== null) address.hash = ''
  history.replaceState(history.state, '', address)
  if (token) invitation.set(token)
  return true
}
