import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

function narrow(path: string): void {
  const { mode } = statSync(path)
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
}

/** Where it cannot be done (no such folder, somebody else's file) SQLite says what is wrong, or can work with it. */
function attempt(step: () => void): boolean {
  try {
    step()
    return true
  } catch {
    return false
  }
}

/**
 * Makes a file of SQLite for its owner alone, whatever the folder and the umask allow, or takes from one that is there
 * what others may do with it: who can read it can hold a lock on it as well. SQLite makes its neighbours like it.
 * One that is there is never opened: closing it again would release the locks that this process holds on it.
 */
export function makeOwnerOnly(path: string): void {
  if (attempt(() => closeSync(openSync(path, 'wx', 0o600)))) return
  for (const each of [path, `${path}-wal`, `${path}-shm`]) attempt(() => narrow(each))
}
