import type { Grant } from '@privity/contract/grant'
import type { SecurityAlert } from '../transport/callError.ts'
import { type Authorizations, createAuthorizations } from './authorizations.ts'
import { downloadFile, type DownloadDeps, type Save } from './download.ts'
import { loadLazily } from '../transport/lazy.ts'
import { sendFile, type SendFileOptions, type UploadDeps } from './upload.ts'
import type { DecryptedMessages } from '../messages/decrypt.ts'
import type { DecryptedMessage } from '../types.ts'

export interface Files extends Omit<Authorizations, 'decryptRequest'> {
  /**
   * Sends a file. Image metadata is removed unless `keepMetadata`, which is evaluated at each attempt. `approve`: the
   * recipient may download it at once. Returns the id of the transfer.
   */
  send(connectionId: string, file: File, options?: Partial<SendFileOptions>): string
  /** Downloads, decrypts and verifies, then calls `save`. Returns the id of the transfer. */
  download(message: DecryptedMessage, save: Save): string
  /**
   * The thumbnail of a file message; of a received one with the grant in the file's status. Undefined where there is
   * none.
   */
  thumbnail(message: DecryptedMessage, grant?: Grant): Promise<Blob | undefined>
  cancel(id: string): void
  retry(id: string): void
  dismiss(id: string): void
}

type FilesDeps = UploadDeps &
  DownloadDeps & { decryptedMessages: Pick<DecryptedMessages, 'find'>; alarm: SecurityAlert }

const thumbnails = loadLazily(() => import('./thumbnail.ts'))

export function createFiles(deps: FilesDeps): Files & Authorizations {
  const { transfers } = deps
  return {
    ...createAuthorizations(deps),
    send: (connectionId, file, options) =>
      sendFile(deps, connectionId, file, { keepMetadata: () => false, approve: false, ...options }),
    download: (message, save) => downloadFile(deps, message, save),
    thumbnail: (message, grant) => thumbnails.openThumbnail(deps, message, grant),
    cancel: transfers.cancel,
    retry: transfers.retry,
    dismiss: transfers.dismiss,
  }
}

/** Forwards to the files that `find` returns at the time of each call; some calls are synchronous, so by hand. */
export const forwardFiles = (find: () => Files): Files => ({
  send: (...args) => find().send(...args),
  download: (...args) => find().download(...args),
  thumbnail: async (...args) => find().thumbnail(...args),
  status: async (filePath) => find().status(filePath),
  request: async (message) => find().request(message),
  pending: async () => find().pending(),
  decide: async (...args) => find().decide(...args),
  revoke: async (id) => find().revoke(id),
  allow: async (...args) => find().allow(...args),
  cancel: (id) => find().cancel(id),
  retry: (id) => find().retry(id),
  dismiss: (id) => find().dismiss(id),
})
