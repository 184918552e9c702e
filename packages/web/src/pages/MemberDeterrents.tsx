import { usePreferencesLoad } from '../app/preferences/preferences.ts'
import { useClient, useUser } from '../app/session.ts'
import { Deterrents } from '../features/deterrents/Deterrents.tsx'

/** Enables deterrents once the preferences are loaded, if the member wants them or the organization enforces them. */
export function MemberDeterrents() {
  const client = useClient()
  const user = useUser()
  const state = usePreferencesLoad().data
  if (!state) return null
  const { preferences, policy } = state
  const on = preferences.screenshotProtection || policy.screenshotProtection
  return <Deterrents client={client} userId={user.id} on={on} />
}
