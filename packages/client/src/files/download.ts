import { fileBinding, newId } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import type { Clock } from '../transport/clock.ts'
import { loadLazily } from '../transport/lazy.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Contacts } from '../trust/types.ts'
import type { DecryptedMessage } from '../types.ts'
import type { FileCrypto } from './fileCrypto.ts'
import type { Transfers } from './transfers.ts'

/** Saves a verified file under its own name. */
export type Save = (name: string, type: string, stream: ReadableStream<Uint8Array>) => Promise<void>

export interface DownloadDeps {
  origin: string
  call: Call
  clock: Clock
  keyring: Keyring
  contacts: Contacts
  crypto: FileCrypto
  transfers: Transfers
  /** The message lifetime (ms). */
  retention: () => number
}

/** Only a download needs them. */
const fileKeys = loadLazily(() => import('./fileKeys.ts'))

/** Downloads, decrypts and verifies the file of a message, and only then saves it. Returns the id of the transfer. */
export function downloadFile(deps: DownloadDeps, message: DecryptedMessage, save: Save): string {
  const { body, filePath, connectionId } = message
  if (body.kind !== 'file' || filePath === undefined) throw new Error('The message has no file.')
  const { name, type, size, keyHash, bodyHash } = body
  const id = newId(deps.clock.now())
  deps.transfers.start(
    { id, kind: 'download', connectionId, messageId: message.id, name, size, type },
    async (progress) => {
      const fileKey = await (message.mine
        ? fileKeys.openOwnKey(deps, message, filePath)
        : fileKeys.fetchGrantedKey(deps, message, filePath, keyHash))
      const aad = fileBinding({ userId: message.senderId, messageId: message.id })
      const url = deps.origin + filePath
      progress.phase('downloading', size)
      const job = { url, fileKey, aad, bodyHash, size, type }
      const file = await deps.crypto.decrypt(job, progress.done, progress.signal)
      progress.signal.throwIfAborted()
      progress.phase('saving', size)
      await save(name, type, file.stream())
    },
  )
  return id
}
