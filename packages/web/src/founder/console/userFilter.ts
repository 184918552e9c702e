import type { ReadableStore } from '../../ui/useStore.ts'

/** Id of the users section, the target of the rail's link. */
export const usersId = 'user-management'

let organization = ''
const listeners = new Set<() => void>()

/** The organization that the list of users is filtered by; empty for all. */
export const shownOrganization: ReadableStore<string> & { set(next: string): void } = {
  get: () => organization,
  set(next) {
    organization = next
    for (const listener of listeners) listener()
  },
  subscribe(listener) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** Filters the list of users by an organization and focuses the section. */
export function showUsersOf(next: string): void {
  shownOrganization.set(next)
  document.getElementById(usersId)?.focus()
}
