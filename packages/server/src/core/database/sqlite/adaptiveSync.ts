import { fdatasyncSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'

/** A disk that takes at most this long (ms) is waited for in place. */
const quick = 1
/** As many syncs at most are left to the thread pool before the disk is tried again. */
const mostOnPool = 100
/** More rows than this came in a rush, which is gathered while another thread waits for the disk. */
const fewRows = 32

/**
 * Brings rows that were written to a file to the disk. For a few a quick disk is faster than another thread and its
 * answer, and where many come the thread has better to do than to wait. After a sync that was slow as many are left to
 * the thread pool as quick ones would have taken its time, times the slow ones in a row: one costs little, and a slow
 * disk holds up nobody.
 */
export function createQuickSync(
  file: FileHandle,
  { now = () => performance.now(), syncInPlace = fdatasyncSync } = {},
): (rows: number) => Promise<void> {
  let onPool = 0
  let slowInRow = 0
  return async (rows) => {
    if (rows > fewRows) return file.datasync()
    if (onPool > 0) {
      onPool -= 1
      return file.datasync()
    }
    const begun = now()
    syncInPlace(file.fd)
    const took = now() - begun
    slowInRow = took > quick ? slowInRow + 1 : 0
    onPool = Math.min(mostOnPool, Math.ceil(took / quick) * slowInRow)
  }
}
