import { createTabText } from './tabText.ts'

/** The token of an invitation link, kept for this tab until it is used or dismissed. */
export const invitation = createTabText('privity.invitation')

/** Read at the start, and taken out of the address bar, history and referrers. */
export function takeInvitation(): void {
  const address = new URL(location.href)
  const token = address.searchParams.get('invitation')
  if (token === null) return
  address.searchParams.delete('invitation')
  history.replaceState(history.state, '', address)
  if (token) invitation.set(token)
}
