import { Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { type files as contract, uploadPath } from '@privity/contract/files'
import { limits, sealedFileSize } from '@privity/contract/limits'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import type { Clock, Stop } from '../../core/clock.ts'
import { pathOf } from './files.ts'
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
import { recheckAccess } from './recheckAccess.ts'

export const mostBytes = sealedFileSize(limits.fileBytes)

/**
 * Minimum pace: a slow sender must not hold a place and memory indefinitely. Each `bytes` must arrive within a minute
 * (9 kbit/s), and the whole body within an hour.
 */
export const uploadPace = { bytes: 64 * 1024, within: 60_000, whole: 60 * 60_000 }
/** More uploads at once than a person ever needs. */
const mostOfUser = 8

const addressOf = (id: string) => uploadPath.replace(':id', id)
const address = new RegExp(`^${addressOf('([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})')}$`)

interface Receiving {
  userId: string
  sessionId: string
  body: Readable
}

/** Uploads whose bodies are arriving in this process; never stale, however old. */
export const receiving = new Map<string, Receiving>()

/** Aborts uploads as soon as their session ends or lacks a required second factor; nothing of them is left. */
export function endUploadsWithSession({ bus }: Core): void {
  bus.subscribe('sessionEnded', ({ sessionIds }) => {
    for (const { sessionId, body } of receiving.values())
      if (sessionIds.includes(sessionId)) body.destroy(new AppError('NOT_SIGNED_IN'))
  })
  bus.subscribe('factorMissing', (gone) => {
    for (const { userId, body } of receiving.values())
      if (userId === gone.userId) body.destroy(new AppError('SECOND_FACTOR_MISSING'))
  })
}

export async function createUpload({ db, clock }: Core, caller: Caller): Promise<Result<typeof contract.createUpload>> {
  return db.write(async (tx) => {
    const now = clock.now()
    const id = newId(now)
    await insertUpload(tx, id, caller.userId, now, now + limits.uploadAddressValid)
    await audit(tx, {
      action: 'upload_created',
      actorId: caller.userId,
      address: caller.address,
      details: { uploadId: id },
      at: now,
    })
    return { uploadURL: addressOf(id) }
  })
}

interface Source {
  body: Readable
  most: number
  clock: Clock
}

async function inTime<T>(clock: Clock, left: number, arriving: Promise<T>): Promise<T> {
  let stop: Stop | undefined
  const late = new Promise<never>((_, refuse) => {
    stop = clock.after(left, () => refuse(new AppError('UPLOAD_TOO_SLOW')))
  })
  try {
    return await Promise.race([arriving, late])
  } finally {
    stop?.()
  }
}

/**
 * Only the browser's time counts against the pace; the store's time counts only towards the limit of the whole body.
 */
async function* atMost({ body, most, clock }: Source, count: (size: number) => void): AsyncGenerator<Buffer> {
  const ends = clock.now() + uploadPace.whole
  // The body outlives this loop: the response still uses its socket.
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let [size, brought, left] = [0, 0, uploadPace.within]
  let isWaiting = false
  try {
    for (;;) {
      const since = clock.now()
      isWaiting = true
      const next = await inTime(clock, Math.min(left, ends - since), chunks.next())
      isWaiting = false
      if (next.done === true) return
      size += next.value.length
      if (size > most) throw new AppError('FILE_TOO_LARGE')
      count(size)
      left -= clock.now() - since
      brought += next.value.length
      if (brought >= uploadPace.bytes) [brought, left] = [0, uploadPace.within]
      yield next.value
    }
  } finally {
    // Only the stream can settle a pending `next`; `return` would wait for it.
    if (!isWaiting) await chunks.return?.()
  }
}

/** Waits until the store has closed the object of an aborted body: then no bytes are on their way any more. */
async function ended(stored: Writable | undefined): Promise<void> {
  if (stored === undefined || stored.closed) return
  await new Promise((resolve) => void stored.once('close', resolve))
}

async function discard({ storage, db }: Core, id: string): Promise<void> {
  await storage.remove(id)
  await db.write((tx) => deleteUpload(tx, id))
}

const tooMany = () =>
  new AppError('RATE_LIMITED', {
    message: 'Too many uploads at once. Wait until one has finished, then try again.',
    retryAfter: 10,
  })

/** Uses up the address. Registers the upload in `receiving` before the sweep can see that it was started. */
async function claimAddress(
  { config, db, clock, processes }: Core,
  { userId, sessionId }: Caller,
  { id, most: size }: { id: string; most: number },
  body: Readable,
): Promise<void> {
  const own: Receiving = { userId, sessionId, body }
  const forget = () => void (receiving.get(id) === own && receiving.delete(id))
  try {
    await db.write(async (tx) => {
      // A retry of the transaction may find that another process was faster.
      forget()
      if ([...receiving.values()].filter((one) => one.userId === userId).length >= mostOfUser) throw tooMany()
      const now = clock.now()
      // Checks before the first write: a later failure would undo everything that shares the transaction.
      const { unsent, all } = await sumBytes(tx, userId)
      if (unsent + size > limits.unsentUploadBytes || all + size > config.accountFileBytes)
        throw new AppError((await isOpenUpload(tx, id, userId, now)) ? 'FILES_FULL' : 'UPLOAD_NOT_FOUND')
      const { changes } = await startUpload(tx, id, userId, size, now, processes.id ?? null)
      if (changes === 0) throw new AppError('UPLOAD_NOT_FOUND')
      receiving.set(id, own)
    })
  } catch (error) {
    forget()
    throw error
  }
}

/** Receives the body of an upload, at most `most` bytes: either all of it is durable, or nothing of it is left. */
export async function receiveUpload(
  core: Core,
  caller: Caller,
  upload: { id: string; most: number },
  body: Readable,
): Promise<void> {
  const { db, clock, storage } = core
  const { id, most } = upload
  if (!(await storage.hasRoomFor(most))) throw new AppError('STORAGE_FULL')
  await claimAddress(core, caller, upload, body)
  let stored: Writable | undefined
  try {
    await recheckAccess(core, caller)
    let size = 0
    const counted = atMost({ body, most, clock }, (total) => void (size = total))
    stored = storage.create(id)
    await pipeline(Readable.from(counted, { objectMode: false }), stored)
    await db.write(async (tx) => {
      const now = clock.now()
      if ((await finishUpload(tx, id, size, now)).changes === 0) throw new AppError('UPLOAD_NOT_FOUND')
      await audit(tx, {
        action: 'file_uploaded',
        actorId: caller.userId,
        address: caller.address,
        details: { uploadId: id, size },
        at: now,
      })
    })
  } catch (error) {
    await ended(stored)
    await discard(core, id).catch((failure: unknown) => core.log.error({ err: failure }, 'the sweep removes an upload'))
    throw body.errored === null ? error : new AppError('INVALID_INPUT', { cause: error })
  } finally {
    receiving.delete(id)
  }
}

/** Number of `uploadPace.within` periods that the rest of a refused body may take. */
const drainedFor = 5

/**
 * Reads the rest of a refused body, so that its sender gets the response: at the minimum pace of an upload, and not for
 * long.
 */
export async function drain({ clock }: Core, body: Readable): Promise<void> {
  let [read, rounds] = [0, 0]
  body.on('data', (piece: Buffer) => void (read += piece.length))
  const stop = clock.every(uploadPace.within, () => {
    rounds += 1
    if (read < rounds * uploadPace.bytes || rounds === drainedFor) body.destroy()
  })
  await finished(body).catch(() => {})
  stop()
}

/** Makes a completed upload a file that can be sent. Idempotent. */
export async function registerFile(core: Core, caller: Caller, url: string): Promise<Result<typeof contract.register>> {
  const id = URL.canParse(url, 'http://host') ? address.exec(new URL(url, 'http://host').pathname)?.[1] : undefined
  if (id === undefined) throw new AppError('UPLOAD_NOT_FOUND')
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const file = await selectOwnFile(tx, id, caller.userId, now)
    if (file !== undefined) return { filePath: pathOf(id), fileSize: file.size }
    const upload = await selectFinishedUpload(tx, id, caller.userId, now - limits.unregisteredUploadKept)
    if (upload === undefined) throw new AppError('UPLOAD_NOT_FOUND')
    await deleteUpload(tx, id)
    const kept = Math.min(limits.unregisteredUploadKept, core.config.retention)
    await insertFile(tx, id, caller.userId, upload.size, now, now + kept)
    await audit(tx, {
      action: 'file_registered',
      actorId: caller.userId,
      address: caller.address,
      details: { fileId: id, size: upload.size },
      at: now,
    })
    return { filePath: pathOf(id), fileSize: upload.size }
  })
}
