import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes durable which names a folder has. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
