import type { Alarm } from '../transport/callError.ts'
import { type Authorizations, createAuthorizations } from './authorizations.ts'
import { downloadFile, type DownloadDeps, type Save } from './download.ts'
import { sendFile, type UploadDeps } from './upload.ts'
import type { Reading } from '../messages/decrypt.ts'
import type { OpenedMessage } from '../types.ts'

export interface Files extends Omit<Authorizations, 'opened'> {
  /** Sends a file; image metadata is removed unless `keepMetadata`, asked at each try. Answers the id of the transfer. */
  send(connectionId: string, file: File, options?: { keepMetadata?: () => boolean }): string
  /** Downloads, decrypts and verifies, then calls `save`. Answers the id of the transfer. */
  download(message: OpenedMessage, save: Save): string
  cancel(id: string): void
  retry(id: string): void
  dismiss(id: string): void
}

type FilesDeps = UploadDeps & DownloadDeps & { reading: Pick<Reading, 'find'>; alarm: Alarm }

export function createFiles(deps: FilesDeps): Files & Authorizations {
  const { transfers } = deps
  return {
    ...createAuthorizations(deps),
    send: (connectionId, file, { keepMetadata = () => false } = {}) => sendFile(deps, connectionId, file, keepMetadata),
    download: (message, save) => downloadFile(deps, message, save),
    cancel: transfers.cancel,
    retry: transfers.retry,
    dismiss: transfers.dismiss,
  }
}
