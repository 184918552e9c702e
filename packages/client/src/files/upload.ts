import { newId } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import type { Clock } from '../transport/clock.ts'
import { safeFileName } from '../messages/fileName.ts'
import { loadLazily } from '../transport/lazy.ts'
import type { Outbox } from '../messages/outbox/outbox.ts'
import type { FileCrypto } from './fileCrypto.ts'
import type { Transfers } from './transfers.ts'

export interface UploadDeps {
  origin: string
  userId: string
  call: Call
  clock: Clock
  crypto: FileCrypto
  /** In place of XMLHttpRequest. */
  uploadFetch: typeof fetch | undefined
  outbox: Outbox
  transfers: Transfers
  /** Resolves when the server has stored the message; rejects when it cannot be sent. */
  sent(messageId: string): Promise<void>
}

export interface SendFileOptions {
  keepMetadata: () => boolean
  approve: boolean
}

/** Sends a file, as a transfer whose code is loaded with it. Returns the id of the transfer. */
export function sendFile(deps: UploadDeps, connectionId: string, file: File, options: SendFileOptions): string {
  const messageId = newId(deps.clock.now())
  const name = safeFileName(file.name)
  const upload = loadLazily(async () =>
    (await import('./uploadSteps.ts')).createUpload(deps, { ...options, connectionId, messageId, file, name }),
  )
  const { size, type } = file
  const shown = { id: messageId, kind: 'upload', connectionId, messageId, name, size, type } as const
  deps.transfers.start(shown, upload.run, upload.discardQueued)
  return messageId
}
