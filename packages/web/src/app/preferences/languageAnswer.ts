import type { Client } from '@privity/client'

const keyOf = (userId: string) => `privity.languageAnswered.${userId}`

/** Whether this member has chosen a language in this browser, or cannot be asked once only, as on a shared computer. */
export function isLanguageAnswered({ account }: Pick<Client, 'account'>, userId: string): boolean {
  if (account.isTransient()) return true
  try {
    return localStorage.getItem(keyOf(userId)) !== null
  } catch {
    // Storage is blocked: the answer could not be kept, so do not ask.
    return true
  }
}

export function keepLanguageAnswer({ account }: Pick<Client, 'account'>, userId: string): void {
  if (account.isTransient()) return
  try {
    localStorage.setItem(keyOf(userId), '')
  } catch {
    // Storage is blocked.
  }
}
