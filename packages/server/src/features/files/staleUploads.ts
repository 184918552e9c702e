import { limits } from '@privity/contract/limits'
import { settleInOrder } from '../../core/database/statements.ts'
import type { Core } from '../../core/core.ts'
import { sending } from './downloads.ts'
import { removeObjects } from './objects.ts'
import {
  deleteUpload,
  releaseDownload,
  isKnownObject,
  selectDeadUploads,
  selectUnfinishedDownloads,
} from './queries.ts'
import { receiving } from './uploads.ts'

/** Releases downloads that a stopped server never finished. */
async function giveBackDownloads({ db, processes }: Core): Promise<void> {
  await db.write(async (tx) => {
    for (const { id } of await selectUnfinishedDownloads(tx, processes.id ?? ''))
      if (!sending.has(id)) await releaseDownload(tx, id)
  })
}

/** Removes addresses too old to be used, bodies cut off by a stopped server, and uploads nobody registered. */
async function removeDeadUploads(core: Core): Promise<void> {
  const { db, clock, processes } = core
  const dead = await db.write(async (tx) => {
    const now = clock.now()
    const rows = await selectDeadUploads(tx, now, now - limits.unregisteredUploadKept, processes.id ?? '')
    const ids = rows.map(({ id }) => id).filter((id) => !receiving.has(id))
    for (const id of ids) await deleteUpload(tx, id)
    return ids
  })
  const { failure } = await removeObjects(core, dead)
  if (failure) throw failure.error
}

const uuid = /^[0-9a-f-]{36}$/

/**
 * Removes objects that no row names. A row is always written before its bytes, and the check is serialized with writes.
 */
export async function removeOrphans(core: Core): Promise<void> {
  const { db, storage } = core
  let failure: { error: unknown } | undefined
  const ids = (await storage.list()).map(({ id }) => id).filter((id) => uuid.test(id))
  for (let at = 0; at < ids.length; at += 100) {
    const orphans = await db.write(async (tx) => {
      const unknown: string[] = []
      for (const id of ids.slice(at, at + 100)) if (!(await isKnownObject(tx, id))) unknown.push(id)
      return unknown
    })
    const removed = await removeObjects(core, orphans)
    failure ??= removed.failure
  }
  if (failure) throw failure.error
}

/** Removes partial objects that no row names; an upload under way has a row. */
async function removePartials({ db, storage }: Core): Promise<void> {
  for (const partial of await storage.partials()) {
    const known = !uuid.test(partial.id) || (await db.write((tx) => isKnownObject(tx, partial.id)))
    if (!known) await partial.remove()
  }
}

/** Clears the leftovers of abandoned or interrupted uploads and downloads. */
export async function sweep(core: Core): Promise<void> {
  await giveBackDownloads(core)
  await settleInOrder([removeDeadUploads(core), removePartials(core)])
}
