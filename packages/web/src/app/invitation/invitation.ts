import { createTabText } from '../../browser/sessionStorageText.ts'

/** The token of an invitation link, kept for this tab until it is used or dismissed. */
export const invitation = createTabText('privity.invitation')

/**
 * Takes the token out of the address, so that an address that is copied or shared does not contain it; the browser's
 * history keeps the link that was opened. Returns whether there was one. Older links carry the token in the query,
 * which is sent to the server.
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
