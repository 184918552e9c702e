import type { FileStatus } from '@privity/contract/files'
import type { Core } from '../../core/core.ts'
import type { FileAuthorizationRow } from '../../core/database/tables/files.ts'
import { pathOf } from './files.ts'

export type StoredAuthorization = Pick<
  FileAuthorizationRow,
  'id' | 'status' | 'downloads_left' | 'grant_epoch_to' | 'grant_sealed_key' | 'grant_signature'
>

/** The recipient's status. An authorization whose downloads are used up counts as none. */
export function statusOf(row: StoredAuthorization | undefined): FileStatus {
  if (row === undefined) return { status: 'none' }
  const { id: authorizationId, status, downloads_left: downloadsLeft } = row
  if (status !== 'authorized') return { status, authorizationId }
  if (downloadsLeft === 0) return { status: 'none', authorizationId, downloadsLeft }
  const { grant_epoch_to: epochTo, grant_sealed_key: sealedKey, grant_signature: signature } = row
  const grant =
    epochTo === null || sealedKey === null || signature === null ? undefined : { epochTo, sealedKey, signature }
  return { status, authorizationId, downloadsLeft, grant }
}

/** The owner can always download, and sees the recipient's status. */
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
  const filePath = pathOf(fileId)
  sockets.notify(requesterId, { type: 'authorization_changed', filePath, status: statusOf(row) })
  sockets.notify(ownerId, { type: 'authorization_changed', filePath, status: ownStatusOf(row) })
}
