import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

function narrow(path: string): void {
  const { mode } = statSync(path)
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
}

/** Ignores a failure (no such folder, another owner): SQLite then reports the problem, or works in spite of it. */
function attempt(step: () => void): boolean {
  try {
    step()
    return true
  } catch {
    return false
  }
}

/**
 * Creates a SQLite file that only its owner can access, in spite of the folder and the umask, or removes the access of
 * other users from an existing one: reading suffices to hold a lock on it. SQLite gives its neighbouring files the same
 * mode. An existing file is never opened, because closing it would release this process's locks on it.
 */
export function makeOwnerOnly(path: string): void {
  if (attempt(() => closeSync(openSync(path, 'wx', 0o600)))) return
  for (const each of [path, `${path}-wal`, `${path}-shm`]) attempt(() => narrow(each))
}
