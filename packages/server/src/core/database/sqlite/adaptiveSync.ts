import { fdatasyncSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'

/** A sync that takes at most this long (ms) may block the main thread. */
const maxInPlaceMs = 1
/** At most this many syncs go to the thread pool before the disk is tried again on the main thread. */
const maxOnPool = 100
/** Batches of more rows are synced by another thread, while the next batch gathers. */
const maxInPlaceRows = 32

/**
 * Syncs rows that were written to a file. For a few rows a fast disk beats the round trip to another thread; for many
 * the main thread has better work than waiting. After a slow sync, as many go to the thread pool as fast ones would
 * have taken its time, times the slow ones in a row: one slow sync costs little, and a slow disk blocks nobody.
 */
export function createAdaptiveSync(
  file: FileHandle,
  { now = () => performance.now(), syncInPlace = fdatasyncSync } = {},
): (rows: number) => Promise<void> {
  let onPool = 0
  let slowInRow = 0
  return async (rows) => {
    if (rows > maxInPlaceRows) return file.datasync()
    if (onPool > 0) {
      onPool -= 1
      return file.datasync()
    }
    const begun = now()
    syncInPlace(file.fd)
    const took = now() - begun
    slowInRow = took > maxInPlaceMs ? slowInRow + 1 : 0
    onPool = Math.min(maxOnPool, Math.ceil(took / maxInPlaceMs) * slowInRow)
  }
}
