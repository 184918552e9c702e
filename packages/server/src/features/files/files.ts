import { AppError } from '@privity/contract/errors'
import { fileIdOf } from '@privity/contract/fileRef'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { findMembership } from '../connections/membership.ts'
import { attachFile, deleteFile, selectOwnFile, selectSentFile, type SentFile, setEnded } from './queries.ts'

/** `reference` is a file path, with or without leading slashes, or a bare id: see `fileIdOf`. */
export function requireFileId(reference: string): string {
  const id = fileIdOf(reference)
  if (id === undefined) throw new AppError('FILE_NOT_FOUND')
  return id
}

export interface FileAccess {
  file: SentFile
  isOwner: boolean
  contactId: string
}

/**
 * The one rule of who may access a file: both participants of the connection it was sent in, until it expires. For
 * anyone else, and before it was sent, it does not exist: FILE_NOT_FOUND.
 */
export async function accessFile(db: Reader, id: string, userId: string, now: number): Promise<FileAccess> {
  const file = await selectSentFile(db, id, now)
  const membership = file === undefined ? undefined : await findMembership(db, file.connection_id, userId)
  if (file === undefined || membership === undefined) throw new AppError('FILE_NOT_FOUND')
  return { file, isOwner: file.owner_id === userId, contactId: membership.contactId }
}

/** A message can include only the sender's own registered file, once, and with its true size. */
export async function checkSendable(
  db: Reader,
  id: string,
  ownerId: string,
  size: number | undefined,
  now: number,
): Promise<void> {
  const file = await selectOwnFile(db, id, ownerId, now)
  if (file === undefined) throw new AppError('FILE_NOT_FOUND')
  if (file.message_id !== null) throw new AppError('FILE_IN_USE')
  if (file.size === size) return
  const details = [{ path: 'fileSize', message: `The stored file has ${file.size} bytes.` }]
  throw new AppError('INVALID_INPUT', { details })
}

/** Makes a sendable file part of a message; it expires with the message. */
export async function attachToMessage(
  tx: Tx,
  id: string,
  { messageId, connectionId, expiresAt }: { messageId: string; connectionId: string; expiresAt: number },
): Promise<void> {
  await attachFile(tx, id, messageId, connectionId, expiresAt)
}

/** Ends a file before its time, as its expiry would. `destroyFiles` destroys it, or else the retention job. */
export async function endFile(tx: Tx, id: string, now: number): Promise<void> {
  await setEnded(tx, id, -now)
}

/** Give up after this many consecutive failures: the store itself is down. */
const maxConsecutiveFailures = 20

/** Shuffles: where many objects cannot be removed, the same ones must not block the rest each time. */
const shuffle = (ids: readonly string[]) =>
  ids
    .map((id) => ({ id, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ id }) => id)

/** Removes each of these objects even if some fail; returns the removed ids and the last failure. */
export async function removeObjects(
  { storage }: Pick<Core, 'storage'>,
  ids: readonly string[],
): Promise<{ removed: string[]; failure?: { error: unknown } }> {
  const removed: string[] = []
  let failure: { error: unknown } | undefined
  let consecutiveFailures = 0
  for (const id of shuffle(ids)) {
    if (consecutiveFailures === maxConsecutiveFailures) break
    try {
      await storage.remove(id)
      removed.push(id)
      consecutiveFailures = 0
    } catch (error) {
      failure = { error }
      consecutiveFailures += 1
    }
  }
  return { removed, ...(failure && { failure }) }
}

/**
 * Destroys the bytes first, then the rows: after an interruption, or if the store fails to remove an object, the rows
 * are still there for another attempt. Returns the destroyed ids and the last failure.
 */
export async function destroyFiles(core: Core, ids: readonly string[]): ReturnType<typeof removeObjects> {
  for (const id of ids) core.bus.publish('accessEnded', { fileId: id })
  const result = await removeObjects(core, ids)
  await core.db.write(async (tx) => {
    for (const id of result.removed) await deleteFile(tx, id)
  })
  return result
}
