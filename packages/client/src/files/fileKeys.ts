import { files as contract } from '@privity/contract/files'
import { fileIdOf } from '@privity/contract/fileRef'
import type { Grant } from '@privity/contract/grant'
import { type Bytes, openForOwner } from '@privity/e2ee'
import { openGrant } from '@privity/e2ee/grant'
import { CallError } from '../transport/callError.ts'
import { acceptedKeys } from '../trust/pinList.ts'
import type { DecryptedMessage } from '../types.ts'
import type { DownloadDeps } from './download.ts'

type Accepted = NonNullable<ReturnType<DownloadDeps['contacts']['accepted']>>
type KeyDeps = Pick<DownloadDeps, 'call' | 'clock' | 'keyring' | 'contacts' | 'retention'>

/** The key of a file that the user has sent. Throws KEY_DESTROYED or BEFORE_APPROVAL. */
export async function openOwnKey(
  { keyring, contacts }: KeyDeps,
  message: DecryptedMessage,
  filePath: string,
): Promise<Bytes> {
  const { fileKey, ownerEpoch, connectionId } = message
  const fileId = fileIdOf(filePath)
  if (fileKey === undefined || ownerEpoch === undefined || fileId === undefined) throw new CallError('KEY_DESTROYED')
  const seed = await keyring.requireSeed(ownerEpoch)
  const recipientId = await contacts.userIdOf(connectionId)
  const owner = { seed, userId: keyring.userId, epoch: ownerEpoch, connectionId, recipientId, fileId }
  return openForOwner({ ...owner, purpose: 'file-key' }, fileKey)
}

/** Throws DOWNLOAD_NOT_AUTHORIZED or DOWNLOADS_USED_UP. */
async function fetchGrant({ call }: Pick<KeyDeps, 'call'>, filePath: string): Promise<Grant> {
  const { grant, downloadsLeft } = await call(contract.check, { params: { '*': filePath } })
  if (!grant) throw new CallError(downloadsLeft === 0 ? 'DOWNLOADS_USED_UP' : 'DOWNLOAD_NOT_AUTHORIZED')
  return grant
}

/**
 * The key of a received file, from the grant of its sender. Throws DOWNLOAD_NOT_AUTHORIZED, DOWNLOADS_USED_UP,
 * KEY_DESTROYED, BEFORE_APPROVAL or KEY_CHANGED.
 */
export async function fetchGrantedKey(
  deps: KeyDeps,
  { connectionId }: DecryptedMessage,
  filePath: string,
  keyHash: string,
): Promise<Bytes> {
  const grant = await fetchGrant(deps, filePath)
  const { userId, pin } = await deps.contacts.get(connectionId)
  if (!pin) throw new CallError('KEY_CHANGED')
  return openGrantedKey(deps, { userId, pin }, filePath, keyHash, grant)
}

/** As `fetchGrantedKey`, from a grant and a contact that the page knows. */
export async function openGrantedKey(
  deps: Pick<KeyDeps, 'clock' | 'keyring' | 'retention'>,
  { userId, pin }: Accepted,
  filePath: string,
  keyHash: string,
  grant: Grant,
): Promise<Bytes> {
  const { keyring } = deps
  const seed = await keyring.requireSeed(grant.epochTo)
  const identityKey = keyring.identityKeyAt(grant.epochTo)
  const me = { userId: keyring.userId, identityKey, seed, epoch: grant.epochTo }
  const [accepted, ...earlier] = acceptedKeys(pin, deps.clock.now() - deps.retention())
  const open = (from: string) => openGrant({ grant, filePath, from: { userId, identityKey: from }, me, keyHash })
  // A grant signed with the owner's earlier key stays valid: it fits only the file that was sent.
  return earlier.reduce((opening, from) => opening.catch(() => open(from)), open(accepted as string))
}
