import { constants, createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { syncPath } from '../dataFolder/dataFolder.ts'
import { toAppError } from '../database/errors.ts'
import type { Storage } from './types.ts'

/** Disk space that files leave free: messages and deletions must still be written when files fill the disk. */
const [maxReserved, reservedShare] = [1024 ** 3, 0.05]

function createUpload(folder: string, partial: string, path: string): Writable {
  let handle: FileHandle | undefined
  /** Whether this upload created the partial file: one of another upload with the same id is not removed. */
  let isOwn = false
  const settle = (work: Promise<void>, done: (error?: Error | null) => void) =>
    void work.then(
      () => done(),
      (error: unknown) => done(toAppError(error)),
    )

  async function start(): Promise<void> {
    handle = await open(partial, 'wx', 0o600)
    isOwn = true
  }

  async function append(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) await handle?.appendFile(chunk)
  }

  async function finish(): Promise<void> {
    await handle?.sync()
    await handle?.close()
    handle = undefined
    isOwn = false
    await rename(partial, path)
    await syncPath(folder)
  }

  async function clear(): Promise<void> {
    await handle?.close()
    if (isOwn) await rm(partial, { force: true })
  }

  return new Writable({
    highWaterMark: 256 * 1024,
    construct: (done) => settle(start(), done),
    write: (chunk: Buffer, _encoding, done) => settle(append([chunk]), done),
    writev: (chunks, done) => settle(append(chunks.map(({ chunk }) => chunk as Buffer)), done),
    final: (done) => settle(finish(), done),
    destroy: (error, done) => settle(clear(), () => done(error)),
  })
}

/** Stores objects as files under `folder`; partial files of an interrupted process are removed at the start. */
export async function openFolderStorage(folder: string): Promise<Storage> {
  const partials = join(folder, 'partial')
  await rm(partials, { recursive: true, force: true })
  await mkdir(partials, { recursive: true, mode: 0o700 })
  const pathOf = (id: string) => {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('not an object id')
    return join(folder, id)
  }
  return {
    create: (id) => createUpload(folder, join(partials, id), pathOf(id)),
    open: (id) => createReadStream(pathOf(id), { highWaterMark: 256 * 1024 }),
    async size(id) {
      const found = await stat(pathOf(id)).catch(() => undefined)
      return found?.size
    },
    async remove(id) {
      await unlink(pathOf(id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    async partials() {
      const names = await readdir(partials)
      return names.map((id) => ({ id, remove: () => rm(join(partials, id), { force: true }) }))
    },
    async hasSpaceFor(bytes) {
      const { bsize, bavail, blocks } = await statfs(folder)
      return bavail * bsize - bytes >= Math.min(maxReserved, blocks * bsize * reservedShare)
    },
    check: () => access(folder, constants.W_OK),
    async list() {
      const names = (await readdir(folder)).filter((name) => name !== 'partial')
      const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
      return names.flatMap((id, index) => {
        const found = stats[index]
        return found === undefined ? [] : [{ id, modifiedAt: found.mtimeMs }]
      })
    },
  }
}
