import { filePathOf } from '@privity/contract/fileRef'
import type { FileStatus } from '@privity/contract/files'
import type { Core } from '../../core/core.ts'
import type { FileAuthorizationRow } from '../../core/database/tables/files.ts'

export type StoredAuthorization = Pick<
  FileAuthorizationRow,
  'id' | 'status' | 'downloads_left' | 'grant_epoch_to' | 'grant_sealed_key' | 'grant_signature'
>

export const isUsedUp = ({ status, downloads_left }: StoredAuthorization): boolean =>
  status === 'authorized' && downloads_left === 0

/** The recipient's status: none once the downloads are used up, so that they can request the file again. */
export function statusOf(row: StoredAuthorization | undefined): FileStatus {
  if (row === undefined) return { status: 'none' }
  const { id: authorizationId, status, downloads_left: downloadsLeft } = row
  if (status !== 'authorized') return { status, authorizationId }
  if (isUsedUp(row)) return { status: 'none', authorizationId, downloadsLeft }
  const { grant_epoch_to: epochTo, grant_sealed_key: sealedKey, grant_signature: signature } = row
  const grant =
    epochTo === null || sealedKey === null || signature === null ? undefined : { epochTo, sealedKey, signature }
  return { status, authorizationId, downloadsLeft, grant }
}

/** The owner's status: they can always download, and see the recipient's authorization. */
export function ownStatusOf(row: StoredAuthorization | undefined): FileStatus {
  if (row === undefined) return { status: 'can_download' }
  const { id: authorizationId, status, downloads_left: downloadsLeft } = row
  return { status: 'can_download', recipient: { authorizationId, status, downloadsLeft } }
}

/** Notifies both participants, each with their own view. */
export function notifyStatus(
  { sockets }: Core,
  fileId: string,
  ownerId: string,
  requesterId: string,
  row: StoredAuthorization,
): void {
  const filePath = filePathOf(fileId)
  sockets.notify(requesterId, { type: 'authorization_changed', filePath, status: statusOf(row) })
  sockets.notify(ownerId, { type: 'authorization_changed', filePath, status: ownStatusOf(row) })
}
