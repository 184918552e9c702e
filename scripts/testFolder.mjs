import { accessSync, constants, statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const memory = '/dev/shm'
/** Bytes that must be free there: three journeys with the largest files, beside their browsers. */
const enough = 4 * 1024 ** 3

/** Whether this folder can be written to and has room. */
export function hasRoom(folder, bytes = enough) {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= bytes
  } catch {
    return false
  }
}

/**
 * Runs `task` with a folder of its own for whatever tests put down, which goes with it, however it ends. The folder is
 * in memory where there is room, so that no test waits for a disk; a TMPDIR that is given stays the place for it.
 */
export async function inTestFolder(task, { place = memory, env = process.env } = {}) {
  const parent = !env.TMPDIR && hasRoom(place) ? place : tmpdir()
  const folder = await mkdtemp(join(parent, 'privity-tests-'))
  // As the place for temporary files is: PostgreSQL and the store of files, which tests start, run as other users.
  await chmod(folder, 0o1777)
  try {
    return await task({ TMPDIR: folder })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
