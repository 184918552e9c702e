import type { User } from '@privity/contract/session'
import { createTabText } from './tabText.ts'

/**
 * Whose recovery key was made in this browser and never said to be saved: by name until the account has opened, by id
 * from then on. An account whose page was closed over the key opens like any other, and nobody has that key.
 */
const mark = createTabText('privity.unsavedRecoveryKey', () => localStorage)

const nameOf = (username: string) => `name ${username.toLowerCase()}`
const idOf = (user: Pick<User, 'id'>) => `id ${user.id}`

export const unsavedRecoveryKey = {
  subscribe: mark.subscribe,
  /** Before the account is asked for: the answer may be lost. */
  expect: (username: string): void => mark.set(nameOf(username)),
  /** It is saved, or there is no account. */
  settle: (): void => mark.set(undefined),
  /** The name of an account is not left behind in a browser that others use. */
  opened(user: Pick<User, 'id' | 'username'>): void {
    if (mark.get() !== undefined && mark.get() === nameOf(user.username)) mark.set(idOf(user))
  },
  isOf: (user: Pick<User, 'id'>): boolean => mark.get() === idOf(user),
}
