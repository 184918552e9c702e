import { closeSync, fsyncSync, openSync } from 'node:fs'

/** fsyncs a directory, so that created and renamed entries survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
