import { usePreferencesLoad } from '../app/preferences/preferences.ts'
import { useClient, useUser } from '../app/session.ts'
import { Deterrents } from '../features/deterrents/Deterrents.tsx'

/** The deterrents of whoever is signed in: his own wish, or his organization's word, once that is known. */
export function MemberDeterrents() {
  const client = useClient()
  const user = useUser()
  const state = usePreferencesLoad().data
  if (!state) return null
  const { preferences, policy } = state
  const on = preferences.screenshotProtection || policy.screenshotProtection
  return <Deterrents client={client} userId={user.id} on={on} />
}
