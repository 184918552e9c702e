import { Readable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { accessFile, type FileAccess } from './files.ts'
import { finishDownload, releaseDownload, reserveDownload, selectAuthorization } from './queries.ts'
import { endDownload, registerDownload, unregisterDownload, type ActiveDownload } from './activeDownloads.ts'
import { recheckAccess } from './recheckAccess.ts'
import { notifyStatus } from './status.ts'

/** Downloads that this process is sending; the sweep does not release them. */
export const sending = new Set<string>()

/** Time (ms) a browser may read nothing before its download ends. */
const longestStall = 60_000

export interface Download {
  size: number
  body: Readable
  /** Call when the response is over: releases the download unless the last byte may have been sent. */
  closed(): void
}

const auditDownload = (tx: Tx, caller: Caller, { id, owner_id }: FileAccess['file'], at: number) =>
  audit(tx, {
    action: 'file_downloaded',
    actorId: caller.userId,
    targetId: owner_id,
    address: caller.address,
    details: { fileId: id },
    at,
  })

/** Reserves one of a recipient's downloads under the id `download`, or throws. */
function reserve(core: Core, caller: Caller, fileId: string, download: string): Promise<void> {
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const { file } = await accessFile(tx, fileId, caller.userId, now)
    const authorization = await selectAuthorization(tx, fileId, caller.userId)
    if (authorization?.status !== 'authorized') throw new AppError('DOWNLOAD_NOT_AUTHORIZED')
    const isReserved = await reserveDownload(tx, download, authorization.id, {
      now,
      process: core.processes.id ?? null,
    })
    if (!isReserved) throw new AppError('DOWNLOADS_USED_UP')
    await auditDownload(tx, caller, file, now)
  })
}

async function tellDownloadsLeft(core: Core, { file }: FileAccess, requesterId: string): Promise<void> {
  const row = await selectAuthorization(core.db.read, file.id, requesterId)
  if (row !== undefined) notifyStatus(core, file.id, file.owner_id, requesterId, row)
}

/** Records a download as used; throws if it was released or its authorization revoked since. */
async function finish({ db, clock }: Core, download: string): Promise<void> {
  const { changes } = await db.write((tx) => finishDownload(tx, download, clock.now()))
  if (changes === 0) throw new AppError('DOWNLOAD_NOT_AUTHORIZED')
}

/**
 * Streams exactly `size` bytes: more would be taken for the response to the next request on the connection. The last
 * byte is held back until the download is committed as used, so nobody gets the whole file without spending one.
 */
async function* bytesOf({ core, file, download }: Source, stored: Readable): AsyncGenerator<Buffer, undefined> {
  let sent = 0
  for await (const chunk of stored as AsyncIterable<Buffer>) {
    sent += chunk.length
    if (sent > file.size) throw new Error(`the store has more than the ${file.size} bytes of a file`)
    if (sent < file.size) {
      yield chunk
      continue
    }
    if (chunk.length > 1) yield chunk.subarray(0, -1)
    if (download !== undefined) await finish(core, download)
    yield chunk.subarray(-1)
    return
  }
  if (file.size > 0) throw new Error(`the store has ${sent} of the ${file.size} bytes of a file`)
  if (download !== undefined) await finish(core, download)
}

interface Source extends Pick<FileAccess, 'file'> {
  core: Core
  running: ActiveDownload
  /** Undefined for the owner, whose downloads are not counted. */
  download: string | undefined
}

/**
 * Ends a download whose browser reads nothing for too long, or whose file expires. Returns a function that stops
 * watching.
 */
function watch({ core: { clock }, file, running }: Source, lastTaken: () => number): () => void {
  let stop = () => {}
  function look(): void {
    const due = Math.min(lastTaken() + longestStall, file.expires_at)
    if (clock.now() >= due) endDownload(running)
    else stop = clock.after(due - clock.now(), look)
  }
  look()
  return () => stop()
}

/**
 * Reads nothing ahead: a chunk is fetched when the one before it was sent, so that an aborted download is never counted
 * and a stalled browser is noticed.
 */
function createBody(source: Source): Readable {
  const stored = source.core.storage.open(source.file.id).on('error', () => {})
  const bytes = bytesOf(source, stored)
  let lastTaken = source.core.clock.now()
  // `watch` may end the download before it returns.
  let stopWatching = () => {}
  const body = new Readable({
    highWaterMark: 0,
    read() {
      lastTaken = source.core.clock.now()
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
  // The download may end before its sender listens for errors.
  body.on('error', () => {})
  source.running.cut = () => void body.destroy(new AppError('FILE_NOT_FOUND'))
  stopWatching = watch(source, () => lastTaken)
  return body
}

async function open(core: Core, caller: Caller, running: ActiveDownload): Promise<Download> {
  const { fileId } = running
  const access = await accessFile(core.db.read, fileId, caller.userId, core.clock.now())
  const { file, isOwner } = access
  running.connectionId = file.connection_id
  if ((await core.storage.size(fileId)) !== file.size) throw new AppError('FILE_NOT_FOUND')
  const download = isOwner ? undefined : newId(core.clock.now())
  // The owner's downloads are not counted, but logged like any other.
  if (download === undefined) await core.db.write((tx) => auditDownload(tx, caller, file, core.clock.now()))
  else {
    sending.add(download)
    try {
      await reserve(core, caller, fileId, download)
    } catch (error) {
      sending.delete(download)
      throw error
    }
  }
  const giveBack = async (id: string) => {
    await core.db.write((tx) => releaseDownload(tx, id))
    await tellDownloadsLeft(core, access, caller.userId)
  }
  const body = createBody({ core, file, running, download })
  if (running.ended) running.cut()
  return {
    size: file.size,
    body,
    closed() {
      unregisterDownload(running)
      if (download === undefined) return
      core.background.run('the sweep gives a download back', () =>
        giveBack(download).finally(() => sending.delete(download)),
      )
    },
  }
}

/** Opens a file: for its owner at any time, for its recipient while a download is left. */
export async function openDownload(core: Core, caller: Caller, fileId: string): Promise<Download> {
  const running = registerDownload(caller, fileId)
  try {
    await recheckAccess(core, caller)
    return await open(core, caller, running)
  } catch (error) {
    unregisterDownload(running)
    throw error
  }
}
