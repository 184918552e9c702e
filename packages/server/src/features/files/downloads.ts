import { Readable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import {
  abortDownload,
  type ActiveDownload,
  recheckAccess,
  registerDownload,
  unregisterDownload,
} from './activeTransfers.ts'
import { accessFile, type FileAccess } from './files.ts'
import { finishDownload, releaseDownload, reserveDownload, selectAuthorization } from './queries.ts'
import { notifyStatus } from './status.ts'

/** Reservations of downloads that this process is sending; `removeStaleTransfers` does not release them. */
export const reservationsInUse = new Set<string>()

/** A download whose browser reads nothing for this long is aborted. */
const stallTimeoutMs = 60_000

/**
 * How much of a file's end is sent only once the download is committed. The last bytes alone would not do: they are the
 * tag of the encryption, without which all of the text can be read.
 */
const heldBackBytes = 64 * 1024

export interface Download {
  size: number
  body: Readable
  /** Call when the response is over: releases the reservation unless the end may have been sent. */
  closed(): void
}

const auditDownload = (tx: Tx, caller: Caller, { id, owner_id }: FileAccess['file'], at: number) =>
  auditCall(tx, caller, { action: 'file_downloaded', targetId: owner_id, details: { fileId: id }, at })

/** Reserves one of the recipient's downloads, or throws. */
function reserve(core: Core, caller: Caller, fileId: string, reservationId: string): Promise<void> {
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const { file } = await accessFile(tx, fileId, caller.userId, now)
    const authorization = await selectAuthorization(tx, fileId, caller.userId)
    if (authorization?.status !== 'authorized') throw new AppError('DOWNLOAD_NOT_AUTHORIZED')
    const reservation = { id: reservationId, now, process: core.processes.id ?? null }
    if (!(await reserveDownload(tx, authorization.id, reservation))) throw new AppError('DOWNLOADS_USED_UP')
    await auditDownload(tx, caller, file, now)
  })
}

async function notifyDownloadsLeft(core: Core, { file }: FileAccess, requesterId: string): Promise<void> {
  const row = await selectAuthorization(core.db.read, file.id, requesterId)
  if (row !== undefined) notifyStatus(core, file.id, file.owner_id, requesterId, row)
}

/** Records a reserved download as used; throws if it was released or its authorization revoked since. */
async function finish({ db, clock }: Core, reservationId: string): Promise<void> {
  const { changes } = await db.write((tx) => finishDownload(tx, reservationId, clock.now()))
  if (changes === 0) throw new AppError('DOWNLOAD_NOT_AUTHORIZED')
}

/**
 * Streams exactly `size` bytes: more would be taken for the response to the next request on the connection. The end is
 * held back until the download is committed as used, so nobody reads the whole file without spending one.
 */
async function* streamBytes(
  { core, file, reservationId }: Source,
  stored: Readable,
): AsyncGenerator<Buffer, undefined> {
  const heldBackFrom = Math.max(0, file.size - heldBackBytes)
  const heldBack: Buffer[] = []
  let read = 0
  for await (const chunk of stored as AsyncIterable<Buffer>) {
    const cut = Math.max(0, heldBackFrom - read)
    read += chunk.length
    if (read > file.size) throw new Error(`the store has more than the ${file.size} bytes of a file`)
    if (cut > 0) yield chunk.subarray(0, cut)
    if (cut < chunk.length) heldBack.push(chunk.subarray(cut))
  }
  if (read < file.size) throw new Error(`the store has ${read} of the ${file.size} bytes of a file`)
  if (reservationId !== undefined) await finish(core, reservationId)
  if (file.size > 0) yield Buffer.concat(heldBack)
}

interface Source extends Pick<FileAccess, 'file'> {
  core: Core
  download: ActiveDownload
  /** Undefined for the owner, whose downloads are not counted. */
  reservationId: string | undefined
}

/** Aborts a download when its browser stalls or its file expires. Returns a function that stops watching. */
function watchDeadlines({ core: { clock }, file, download }: Source, lastReadAt: () => number): () => void {
  let stop = () => {}
  function check(): void {
    const deadline = Math.min(lastReadAt() + stallTimeoutMs, file.expires_at)
    if (clock.now() >= deadline) abortDownload(download)
    else stop = clock.after(deadline - clock.now(), check)
  }
  check()
  return () => stop()
}

/**
 * Reads nothing ahead: a chunk is fetched when the one before it was sent, so an aborted download is never counted and
 * a stalled browser is noticed.
 */
function createBody(source: Source): Readable {
  const stored = source.core.storage.open(source.file.id).on('error', () => {})
  const bytes = streamBytes(source, stored)
  let lastReadAt = source.core.clock.now()
  // `watchDeadlines` may abort the download before it returns.
  let stopWatching = () => {}
  const body = new Readable({
    highWaterMark: 0,
    read() {
      lastReadAt = source.core.clock.now()
      bytes.next().then(
        ({ value, done }) => body.push(done === true ? null : value),
        (error: Error) => body.destroy(error),
      )
    },
    destroy(error, done) {
      stopWatching()
      // `bytes.return` alone would wait for a store that no longer responds.
      stored.destroy()
      void bytes.return(undefined).then(
        () => done(error),
        () => done(error),
      )
    },
  })
  // The download may be aborted before Fastify listens for errors.
  body.on('error', () => {})
  source.download.abort = () => void body.destroy(new AppError('FILE_NOT_FOUND'))
  stopWatching = watchDeadlines(source, () => lastReadAt)
  return body
}

async function open(core: Core, caller: Caller, download: ActiveDownload): Promise<Download> {
  const { fileId } = download
  const access = await accessFile(core.db.read, fileId, caller.userId, core.clock.now())
  const { file, isOwner } = access
  download.connectionId = file.connection_id
  if ((await core.storage.size(fileId)) !== file.size) throw new AppError('FILE_NOT_FOUND')
  const reservationId = isOwner ? undefined : newId(core.clock.now())
  // The owner's downloads are not counted, but logged like any other.
  if (reservationId === undefined) await core.db.write((tx) => auditDownload(tx, caller, file, core.clock.now()))
  else {
    reservationsInUse.add(reservationId)
    try {
      await reserve(core, caller, fileId, reservationId)
    } catch (error) {
      reservationsInUse.delete(reservationId)
      throw error
    }
  }
  const release = async (id: string) => {
    await core.db.write((tx) => releaseDownload(tx, id))
    await notifyDownloadsLeft(core, access, caller.userId)
  }
  const body = createBody({ core, file, download, reservationId })
  if (download.isAborted) download.abort()
  return {
    size: file.size,
    body,
    closed() {
      unregisterDownload(download)
      if (reservationId === undefined) return
      core.background.run('a later job releases a download', () =>
        release(reservationId).finally(() => reservationsInUse.delete(reservationId)),
      )
    },
  }
}

/** Opens a file: for its owner at any time, for its recipient while a download is left. */
export async function openDownload(core: Core, caller: Caller, fileId: string): Promise<Download> {
  const download = registerDownload(caller, fileId)
  try {
    await recheckAccess(core, caller)
    return await open(core, caller, download)
  } catch (error) {
    unregisterDownload(download)
    throw error
  }
}
