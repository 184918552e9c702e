const key = 'privity.founder'

/** Whether the founder was signed in in this browser: else nothing need be asked before the form is shown. */
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
    // a storage that is closed: the server is asked each time
  }
}
