import { Readable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/guards.ts'
import { newId } from '../../core/ids.ts'
import { accessFile, type FileAccess } from './files.ts'
import { finishDownload, giveDownloadBack, selectAuthorization, takeDownload } from './queries.ts'
import { statusOf, tellStatus } from './status.ts'

/** The downloads this process is answering: not given back by the sweep. */
export const sending = new Set<string>()

export interface Download {
  size: number
  body: Readable
  /** Must be called when the answer is over; gives the count back unless the last byte went out. */
  closed(complete: boolean): void
}

/** Takes one of a recipient's downloads under the id `download`, or refuses. */
function reserve(core: Core, caller: Caller, fileId: string, download: string): Promise<void> {
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const { file } = await accessFile(tx, fileId, caller.userId, now)
    const authorization = await selectAuthorization(tx, fileId, caller.userId)
    if (authorization === undefined || statusOf(authorization).status !== 'authorized')
      throw new AppError('DOWNLOAD_NOT_AUTHORIZED')
    await takeDownload(tx, download, authorization.id, now)
    await audit(tx, {
      action: 'file_downloaded',
      actorId: caller.userId,
      targetId: file.owner_id,
      address: caller.address,
      details: { fileId },
      at: now,
    })
  })
}

async function tellDownloadsLeft(core: Core, { file }: FileAccess, requesterId: string): Promise<void> {
  const row = await selectAuthorization(core.db.read, file.id, requesterId)
  if (row !== undefined) tellStatus(core, file.id, file.owner_id, requesterId, row)
}

/**
 * The bytes, until the file expires. The last piece waits until the download is written down as
 * done: a server killed at that moment must not give it away a fourth time.
 */
async function* bytesOf(core: Core, { file }: FileAccess, download: string | undefined): AsyncGenerator<Buffer> {
  let sent = 0
  for await (const chunk of core.storage.open(file.id) as AsyncIterable<Buffer>) {
    const now = core.clock.now()
    if (now >= file.expires_at) throw new AppError('FILE_NOT_FOUND')
    sent += chunk.length
    if (sent >= file.size && download !== undefined) await core.db.write((tx) => finishDownload(tx, download, now))
    yield chunk
  }
}

/** A file for its owner, always, or for its recipient while a download is left. */
export async function openDownload(core: Core, caller: Caller, fileId: string): Promise<Download> {
  const access = await accessFile(core.db.read, fileId, caller.userId, core.clock.now())
  const { size } = access.file
  if ((await core.storage.size(fileId)) !== size) throw new AppError('FILE_NOT_FOUND')
  if (access.isOwner) {
    return { size, body: Readable.from(bytesOf(core, access, undefined), { objectMode: false }), closed: () => {} }
  }

  const download = newId(core.clock.now())
  sending.add(download)
  const close = async (complete: boolean) => {
    if (!complete) await core.db.write((tx) => giveDownloadBack(tx, download))
    await tellDownloadsLeft(core, access, caller.userId)
  }
  try {
    await reserve(core, caller, fileId, download)
  } catch (error) {
    sending.delete(download)
    throw error
  }
  return {
    size,
    body: Readable.from(bytesOf(core, access, download), { objectMode: false }),
    closed(complete) {
      close(complete)
        .catch((error: unknown) => core.log.error({ err: error }, 'the sweep gives a download back'))
        .finally(() => sending.delete(download))
    },
  }
}
