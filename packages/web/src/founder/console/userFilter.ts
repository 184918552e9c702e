import type { ReadableStore } from '../../ui/useStore.ts'

/** The section with the users: where the rail leads. */
export const usersId = 'user-management'

let organization = ''
const listeners = new Set<() => void>()

/** The organization that the list of users is kept to; empty for all. */
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

/** Keeps the list of users to one organization, and leads there. */
export function showUsersOf(next: string): void {
  shownOrganization.set(next)
  document.getElementById(usersId)?.focus()
}
