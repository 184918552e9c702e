import { createStore } from '@privity/client/store'

/** Id of the users section, the target of the rail's link. */
export const usersId = 'user-management'

/** The organization that the list of users is filtered by; empty for all. */
export const shownOrganization = createStore('')

/** Filters the list of users by an organization and focuses the section. */
export function showUsersOf(next: string): void {
  shownOrganization.set(next)
  document.getElementById(usersId)?.focus()
}
