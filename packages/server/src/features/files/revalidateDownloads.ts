import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import { coalesce } from '../../core/async/promises.ts'
import { accessFile } from './files.ts'
import { selectAuthorization } from './queries.ts'
import { listDownloads, endDownload, type ActiveDownload } from './activeDownloads.ts'

/** Checks the database: the file or its connection is gone, or the authorization was revoked. */
async function isOver({ db, clock }: Core, { fileId, userId }: ActiveDownload): Promise<boolean> {
  try {
    const { isOwner } = await accessFile(db.read, fileId, userId, clock.now())
    return !isOwner && (await selectAuthorization(db.read, fileId, userId))?.status === 'denied'
  } catch (error) {
    if (error instanceof AppError && error.code === 'FILE_NOT_FOUND') return true
    throw error
  }
}

/** Ends downloads whose authorization may be gone because this process missed events of the bus. */
export function revalidateDownloads(core: Core): void {
  async function look(): Promise<void> {
    for (const one of listDownloads()) if (one.connectionId !== undefined && (await isOver(core, one))) endDownload(one)
  }

  const lookOnce = coalesce(look)
  core.bus.subscribe('missed', () => core.background.run('downloads under way', lookOnce))
}
