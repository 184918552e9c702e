/** The token of an invitation link, read once and taken out of the address bar, history and referrers. */
export const invitation = takeInvitation()

function takeInvitation(): string | undefined {
  const address = new URL(location.href)
  const token = address.searchParams.get('invitation')
  if (token === null) return undefined
  address.searchParams.delete('invitation')
  history.replaceState(history.state, '', address)
  return token || undefined
}
