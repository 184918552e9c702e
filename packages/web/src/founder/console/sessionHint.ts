const key = 'privity.founder'

/** Whether a founder was signed in here. If not, the form is shown without asking the server first. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return true
  }
}

export function rememberSignIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {
    // Storage is blocked: the server is asked every time.
  }
}
