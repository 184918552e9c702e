const keyOf = (userId: string) => `privity.languageAnswered.${userId}`

/** Whether this member has chosen a language in this browser, so that it is not offered again. */
export function isLanguageAnswered(userId: string): boolean {
  try {
    return localStorage.getItem(keyOf(userId)) !== null
  } catch {
    // Storage is blocked: the answer could not be kept, so do not ask.
    return true
  }
}

export function keepLanguageAnswer(userId: string): void {
  try {
    localStorage.setItem(keyOf(userId), '')
  } catch {
    // Storage is blocked.
  }
}
