import { Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { filePathOf, idSource } from '@privity/contract/fileRef'
import { type files as contract, uploadPath } from '@privity/contract/files'
import { limits, sealedFileSize } from '@privity/contract/limits'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import type { Clock, Stop } from '../../core/clock.ts'
import { activeUploads, checkUploadCount, recheckAccess } from './activeTransfers.ts'
import {
  deleteUpload,
  finishUpload,
  insertFile,
  insertUpload,
  isOpenUpload,
  selectFinishedUpload,
  selectOwnFile,
  startUpload,
  sumBytes,
} from './queries.ts'

export const maxUploadBytes = sealedFileSize(limits.fileBytes)

/**
 * A slow sender must not hold a place and memory indefinitely: `minBytes` must arrive in each interval of a minute
 * (9 kbit/s), and the whole body within an hour.
 */
export const uploadPace = { minBytes: 64 * 1024, intervalMs: 60_000, maxMs: 60 * 60_000 }

const uploadUrlOf = (id: string) => uploadPath.replace(':id', id)
const uploadUrl = new RegExp(`^${uploadUrlOf(`(${idSource})`)}$`)

export async function createUpload({ db, clock }: Core, caller: Caller): Promise<Result<typeof contract.createUpload>> {
  return db.write(async (tx) => {
    const now = clock.now()
    const id = newId(now)
    await insertUpload(tx, id, caller.userId, now, now + limits.uploadAddressValid)
    await auditCall(tx, caller, { action: 'upload_created', details: { uploadId: id }, at: now })
    return { uploadURL: uploadUrlOf(id) }
  })
}

interface Source {
  body: Readable
  maxBytes: number
  clock: Clock
}

async function withDeadline<T>(clock: Clock, milliseconds: number, arriving: Promise<T>): Promise<T> {
  let stop: Stop | undefined
  const timeout = new Promise<never>((_, reject) => {
    stop = clock.after(milliseconds, () => reject(new AppError('UPLOAD_TOO_SLOW')))
  })
  try {
    return await Promise.race([arriving, timeout])
  } finally {
    stop?.()
  }
}

/**
 * Streams a body at `uploadPace`, up to `maxBytes`. Only the browser's time counts against the pace of an interval; the
 * store's time counts only towards the limit of the whole body.
 */
async function* paceBody({ body, maxBytes, clock }: Source, onSize: (size: number) => void): AsyncGenerator<Buffer> {
  // Monotonic: an upload must not end because the wall clock is set.
  const deadline = clock.even() + uploadPace.maxMs
  // The body outlives this loop: the response still uses its socket.
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let [size, intervalBytes, intervalLeft] = [0, 0, uploadPace.intervalMs]
  let isWaiting = false
  try {
    for (;;) {
      const since = clock.even()
      isWaiting = true
      const next = await withDeadline(clock, Math.min(intervalLeft, deadline - since), chunks.next())
      isWaiting = false
      if (next.done === true) return
      size += next.value.length
      if (size > maxBytes) throw new AppError('FILE_TOO_LARGE')
      onSize(size)
      intervalLeft -= clock.even() - since
      intervalBytes += next.value.length
      if (intervalBytes >= uploadPace.minBytes) [intervalBytes, intervalLeft] = [0, uploadPace.intervalMs]
      yield next.value
    }
  } finally {
    // Only the stream can settle a pending `next`; `return` would wait for it.
    if (!isWaiting) await chunks.return?.()
  }
}

/** Resolves once the store has closed the object of an aborted body: after that, no bytes are written any more. */
async function untilClosed(stored: Writable | undefined): Promise<void> {
  if (stored === undefined || stored.closed) return
  await new Promise((resolve) => void stored.once('close', resolve))
}

async function discardUpload({ storage, db }: Core, id: string): Promise<void> {
  await storage.remove(id)
  await db.write((tx) => deleteUpload(tx, id))
}

/** Uses up the address. Registers the upload before `removeStaleTransfers` can find that it was started. */
async function claimAddress(
  { config, db, clock, processes }: Core,
  { userId, sessionId }: Caller,
  { id, maxBytes }: { id: string; maxBytes: number },
  body: Readable,
): Promise<void> {
  const upload = { userId, sessionId, body }
  const unregister = () => void (activeUploads.get(id) === upload && activeUploads.delete(id))
  try {
    await db.write(async (tx) => {
      // A retry of the transaction may find that another process was faster.
      unregister()
      checkUploadCount(userId)
      const now = clock.now()
      // Checks before the first write: a later failure would undo everything that shares the transaction.
      const { unsent, all } = await sumBytes(tx, userId)
      if (unsent + maxBytes > limits.unsentUploadBytes || all + maxBytes > config.accountFileBytes)
        throw new AppError((await isOpenUpload(tx, id, userId, now)) ? 'FILES_FULL' : 'UPLOAD_NOT_FOUND')
      const { changes } = await startUpload(tx, id, userId, maxBytes, now, processes.id ?? null)
      if (changes === 0) throw new AppError('UPLOAD_NOT_FOUND')
      activeUploads.set(id, upload)
    })
  } catch (error) {
    unregister()
    throw error
  }
}

/** The bytes that each upload of this process may still store: the free space of the disk includes them. */
const expected = new Set<{ bytes: number }>()

/** Receives the body of an upload, at most `maxBytes`: either all of it is durable, or nothing of it is left. */
export async function receiveUpload(
  core: Core,
  caller: Caller,
  upload: { id: string; maxBytes: number },
  body: Readable,
): Promise<void> {
  const own = { bytes: upload.maxBytes }
  expected.add(own)
  try {
    const bytes = [...expected].reduce((sum, each) => sum + each.bytes, 0)
    if (!(await core.storage.hasSpaceFor(bytes))) throw new AppError('STORAGE_FULL')
    await store(core, caller, upload, body, (size) => void (own.bytes = upload.maxBytes - size))
  } finally {
    expected.delete(own)
  }
}

async function store(
  core: Core,
  caller: Caller,
  upload: { id: string; maxBytes: number },
  body: Readable,
  onSize: (size: number) => void,
): Promise<void> {
  const { db, clock, storage } = core
  const { id, maxBytes } = upload
  await claimAddress(core, caller, upload, body)
  let stored: Writable | undefined
  try {
    await recheckAccess(core, caller)
    let size = 0
    const chunks = paceBody({ body, maxBytes, clock }, (total) => onSize((size = total)))
    stored = storage.create(id)
    await pipeline(Readable.from(chunks, { objectMode: false }), stored)
    await db.write(async (tx) => {
      const now = clock.now()
      if ((await finishUpload(tx, id, size, now)).changes === 0) throw new AppError('UPLOAD_NOT_FOUND')
      await auditCall(tx, caller, { action: 'file_uploaded', details: { uploadId: id, size }, at: now })
    })
  } catch (error) {
    await untilClosed(stored)
    await discardUpload(core, id).catch((failure: unknown) =>
      core.log.error({ err: failure }, 'a later job removes an upload'),
    )
    throw body.errored === null ? error : new AppError('INVALID_INPUT', { cause: error })
  } finally {
    activeUploads.delete(id)
  }
}

/** Intervals of `uploadPace` that the rest of a refused body may take. */
const maxDrainIntervals = 5

/** Reads the rest of a refused body at the minimum pace, and not for long, so that its sender gets the response. */
export async function drainBody({ clock }: Core, body: Readable): Promise<void> {
  let [bytes, intervals] = [0, 0]
  body.on('data', (chunk: Buffer) => void (bytes += chunk.length))
  const stop = clock.every(uploadPace.intervalMs, () => {
    intervals += 1
    if (bytes < intervals * uploadPace.minBytes || intervals === maxDrainIntervals) body.destroy()
  })
  await finished(body).catch(() => {})
  stop()
}

/** Makes a completed upload a file that can be sent. Idempotent. */
export async function registerFile(core: Core, caller: Caller, url: string): Promise<Result<typeof contract.register>> {
  const id = URL.canParse(url, 'http://host') ? uploadUrl.exec(new URL(url, 'http://host').pathname)?.[1] : undefined
  if (id === undefined) throw new AppError('UPLOAD_NOT_FOUND')
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const file = await selectOwnFile(tx, id, caller.userId, now)
    if (file !== undefined) return { filePath: filePathOf(id), fileSize: file.size }
    const upload = await selectFinishedUpload(tx, id, caller.userId, now - limits.unregisteredUploadKept)
    if (upload === undefined) throw new AppError('UPLOAD_NOT_FOUND')
    await deleteUpload(tx, id)
    const lifetime = Math.min(limits.unregisteredUploadKept, core.config.retention)
    await insertFile(tx, id, caller.userId, upload.size, now, now + lifetime)
    await auditCall(tx, caller, { action: 'file_registered', details: { fileId: id, size: upload.size }, at: now })
    return { filePath: filePathOf(id), fileSize: upload.size }
  })
}
