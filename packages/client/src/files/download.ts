import { files as contract } from '@privity/contract/files'
import { fileIdOf } from '@privity/contract/fileRef'
import { type Bytes, fileBinding, newId, openForOwner, openGrant } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Contacts } from '../trust/types.ts'
import { acceptedKeys } from '../trust/pinList.ts'
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

const keyDestroyed = () => new CallError('KEY_DESTROYED')

async function ownKey(
  { keyring, contacts }: DownloadDeps,
  message: DecryptedMessage,
  filePath: string,
): Promise<Bytes> {
  const { fileKey, ownerEpoch, connectionId } = message
  const seed = ownerEpoch === undefined ? undefined : await keyring.seed(ownerEpoch)
  const fileId = fileIdOf(filePath)
  if (fileKey === undefined || ownerEpoch === undefined || !seed || fileId === undefined) throw keyDestroyed()
  const recipientId = await contacts.userIdOf(connectionId)
  const owner = { seed, userId: keyring.userId, epoch: ownerEpoch, connectionId, recipientId, fileId }
  return openForOwner({ ...owner, purpose: 'file-key' }, fileKey)
}

async function grantedKey(
  deps: DownloadDeps,
  message: DecryptedMessage,
  filePath: string,
  keyHash: string,
): Promise<Bytes> {
  const { call, keyring, contacts } = deps
  const { grant, downloadsLeft } = await call(contract.check, { params: { '*': filePath } })
  if (!grant) throw new CallError(downloadsLeft === 0 ? 'DOWNLOADS_USED_UP' : 'DOWNLOAD_NOT_AUTHORIZED')
  const seed = await keyring.seed(grant.epochTo)
  if (!seed) throw keyDestroyed()
  const { userId, pin } = await contacts.get(message.connectionId)
  if (!pin) throw new CallError('KEY_CHANGED')
  const identityKey = keyring.identityKeyAt(grant.epochTo)
  const me = { userId: keyring.userId, identityKey, seed, epoch: grant.epochTo }
  const [accepted, ...earlier] = acceptedKeys(pin, deps.clock.now() - deps.retention())
  const open = (from: string) => openGrant({ grant, filePath, from: { userId, identityKey: from }, me, keyHash })
  // A grant signed with the owner's earlier key stays valid: it fits only the file that was sent.
  return earlier.reduce((opening, from) => opening.catch(() => open(from)), open(accepted as string))
}

/** Downloads, decrypts and verifies the file of a message, and only then saves it. Returns the id of the transfer. */
export function downloadFile(deps: DownloadDeps, message: DecryptedMessage, save: Save): string {
  const { body, filePath, connectionId } = message
  if (body.kind !== 'file' || filePath === undefined) throw new Error('The message has no file.')
  const { name, type, size, keyHash, bodyHash } = body
  const id = newId(deps.clock.now())
  deps.transfers.start({ id, kind: 'download', connectionId, messageId: message.id, name, size }, async (progress) => {
    const fileKey = await (message.mine
      ? ownKey(deps, message, filePath)
      : grantedKey(deps, message, filePath, keyHash))
    const aad = fileBinding({ userId: message.senderId, messageId: message.id })
    const url = deps.origin + filePath
    progress.phase('downloading', size)
    const job = { url, fileKey, aad, bodyHash, size, type }
    const file = await deps.crypto.decrypt(job, progress.done, progress.signal)
    progress.signal.throwIfAborted()
    progress.phase('saving', size)
    await save(name, type, file.stream())
  })
  return id
}
