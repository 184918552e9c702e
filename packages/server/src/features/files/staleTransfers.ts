import { idPattern } from '@privity/contract/fileRef'
import { limits } from '@privity/contract/limits'
import { settleInOrder } from '../../core/database/statements.ts'
import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { steadyEnough } from '../../core/steadyTime.ts'
import { activeUploads } from './activeTransfers.ts'
import { reservationsInUse } from './downloads.ts'
import { removeObjects } from './files.ts'
import {
  deleteUpload,
  releaseDownload,
  isKnownObject,
  selectStaleUploads,
  selectUnfinishedDownloads,
} from './queries.ts'

/** Releases downloads that a stopped process never finished. */
async function releaseStaleDownloads({ db, processes }: Core): Promise<void> {
  await db.write(async (tx) => {
    for (const { id } of await selectUnfinishedDownloads(tx, processes.id ?? ''))
      if (!reservationsInUse.has(id)) await releaseDownload(tx, id)
  })
}

/**
 * Removes expired addresses, bodies cut off by a stopped process, and uploads that nobody registered. One dated in the
 * future, by a clock that was ahead, goes once the clock counts as right.
 */
async function removeStaleUploads(core: Core): Promise<void> {
  const { db, clock, processes, steadyTime } = core
  const stale = await db.write(async (tx) => {
    const now = clock.now()
    const earliest = now - limits.unregisteredUploadKept
    const latest = steadyTime() < steadyEnough ? Number.MAX_SAFE_INTEGER : now + limits.clockTolerance
    const rows = await selectStaleUploads(tx, { now, earliest, latest, process: processes.id ?? '' })
    const ids = rows.map(({ id }) => id).filter((id) => !activeUploads.has(id))
    for (const id of ids) await deleteUpload(tx, id)
    return ids
  })
  const { failure } = await removeObjects(core, stale)
  if (failure) throw failure.error
}

const batchSize = 100

/**
 * Removes objects that no row names. A row is always written before its bytes, and the check is serialized with writes.
 */
async function removeOrphanedObjects(core: Core): Promise<void> {
  const { db, storage } = core
  let failure: { error: unknown } | undefined
  const ids = (await storage.list()).map(({ id }) => id).filter((id) => idPattern.test(id))
  for (let start = 0; start < ids.length; start += batchSize) {
    const orphans = await db.write(async (tx) => {
      const unknown: string[] = []
      for (const id of ids.slice(start, start + batchSize)) if (!(await isKnownObject(tx, id))) unknown.push(id)
      return unknown
    })
    const result = await removeObjects(core, orphans)
    failure ??= result.failure
  }
  if (failure) throw failure.error
}

/** Removes partial objects that no row names; an upload under way has a row. */
async function removeStalePartials({ db, storage }: Core): Promise<void> {
  for (const partial of await storage.partials()) {
    const isKept = !idPattern.test(partial.id) || (await db.write((tx) => isKnownObject(tx, partial.id)))
    if (!isKept) await partial.remove()
  }
}

/** Clears what abandoned or interrupted uploads and downloads have left. */
async function removeStaleTransfers(core: Core): Promise<void> {
  await releaseStaleDownloads(core)
  await settleInOrder([removeStaleUploads(core), removeStalePartials(core)])
}

export const fileJobs: Job[] = [
  { name: 'sweep uploads and downloads', every: 10 * 60_000, run: removeStaleTransfers },
  { name: 'remove orphaned objects', every: 24 * 60 * 60_000, run: removeOrphanedObjects },
]
