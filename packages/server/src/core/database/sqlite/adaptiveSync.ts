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
 * Returns a function that syncs a file after that many `rows` were written to it. If the rows are few and the disk is
 * fast, a sync on the main thread takes less time than the round trip to another thread. A slow sync sends the next
 * ones to the thread pool: one per `maxInPlaceMs` that it took, multiplied by the number of slow syncs in a row. So a
 * single slow sync changes little, and a slow disk rarely blocks the main thread.
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
