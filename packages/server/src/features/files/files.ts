import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { findMembership } from '../connections/membership.ts'
import { removeObjects } from './objects.ts'
import { deleteFile, selectOwnFile, selectSentFile, type SentFile, setSent } from './queries.ts'

export const pathOf = (fileId: string): string => `/objects/${fileId}`

export const idOf = (filePath: string): string => filePath.slice(-36)

export interface FileAccess {
  file: SentFile
  isOwner: boolean
  otherId: string
}

/**
 * The one rule of who may access a file: both participants of the connection it was sent in, until it expires. For
 * anyone else, and before it was sent, it does not exist: FILE_NOT_FOUND.
 */
export async function accessFile(db: Reader, id: string, userId: string, now: number): Promise<FileAccess> {
  const file = await selectSentFile(db, id, now)
  const link = file === undefined ? undefined : await findMembership(db, file.connection_id, userId)
  if (file === undefined || link === undefined) throw new AppError('FILE_NOT_FOUND')
  return { file, isOwner: file.owner_id === userId, otherId: link.otherId }
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

export interface Sent {
  messageId: string
  connectionId: string
  expiresAt: number
}

/** Makes a sendable file part of a message; it expires with the message. */
export async function markSent(tx: Tx, id: string, { messageId, connectionId, expiresAt }: Sent): Promise<void> {
  await setSent(tx, id, messageId, connectionId, expiresAt)
}

/**
 * Destroys the bytes first, then the rows: after an interruption, or if the store fails to remove an object, the rows
 * are still there for another attempt. Returns the destroyed ids and the last failure.
 */
export async function destroyFiles(core: Core, ids: readonly string[]): ReturnType<typeof removeObjects> {
  for (const id of ids) core.bus.publish('accessEnded', { fileId: id })
  const removed = await removeObjects(core, ids)
  await core.db.write(async (tx) => {
    for (const id of removed.gone) await deleteFile(tx, id)
  })
  return removed
}
