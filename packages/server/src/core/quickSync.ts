import { fdatasyncSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'

/** A disk that takes at most this long (ms) is waited for in place. */
const quick = 1
/** After one that took longer, so many are left to the thread pool before the disk is tried again. */
const leftToPool = 100

/**
 * Brings what was written to a file to the disk. A quick disk is faster than another thread and its answer, and what
 * arrives meanwhile waits in the kernel instead of in our memory, where the collector would copy it; a slow one holds
 * up nobody.
 */
export function createQuickSync(
  file: FileHandle,
  { now = () => performance.now(), syncInPlace = fdatasyncSync } = {},
): () => Promise<void> {
  let onPool = 0
  return async () => {
    if (onPool > 0) {
      onPool -= 1
      return file.datasync()
    }
    const begun = now()
    syncInPlace(file.fd)
    if (now() - begun > quick) onPool = leftToPool
  }
}
