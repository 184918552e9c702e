import { accessSync, constants, statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In-memory file system of Linux. */
const memory = '/dev/shm'
/** Bytes that must be free in it: enough for three journeys with the largest files and their browsers. */
const minFreeBytes = 4 * 1024 ** 3

/** Whether this folder is writable and has enough space. */
export function hasSpace(folder, bytes = minFreeBytes) {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= bytes
  } catch {
    return false
  }
}

/**
 * Runs `task` with a temporary folder and deletes it afterwards, even after a failure. The folder is in memory if there
 * is space, so that no test waits for a disk; a given TMPDIR takes precedence.
 */
export async function inTestFolder(task, { place = memory, env = process.env } = {}) {
  const parent = !env.TMPDIR && hasSpace(place) ? place : tmpdir()
  const folder = await mkdtemp(join(parent, 'privity-tests-'))
  // The permissions of /tmp: PostgreSQL and the object store, which tests start, run as other users.
  await chmod(folder, 0o1777)
  try {
    return await task({ TMPDIR: folder })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
