import type { Grant } from '@privity/contract/grant'
import type { Bytes } from '@privity/e2ee'
import { maxThumbnailBytes, openThumbnail as open, sealThumbnail } from '@privity/e2ee/thumbnail'
import type { DecryptedMessage } from '../types.ts'
import type { DownloadDeps } from './download.ts'
import { openGrantedKey, openOwnKey } from './fileKeys.ts'
import { mayHaveThumbnail, smallPictureType } from './pictureForm.ts'
import type { UploadDeps } from './upload.ts'

/** How long a file may wait for its thumbnail, from the start of its encryption. */
const maxWaitMs = 10_000

interface NewThumbnail {
  picture: Blob
  name: string
  type: string
  fileKey: Bytes
  messageId: string
  /** Aborts with the upload. */
  signal: AbortSignal
}

/** Makes and seals the thumbnail of a file. Undefined, and never an error, where there is none. */
export async function createThumbnail(
  { crypto, clock, userId }: Pick<UploadDeps, 'crypto' | 'clock' | 'userId'>,
  { picture, name, type, fileKey, messageId, signal }: NewThumbnail,
): Promise<string | undefined> {
  const room = maxThumbnailBytes({ name, type })
  if (!crypto.createThumbnail || !mayHaveThumbnail({ type })) return undefined
  const tooLate = new AbortController()
  const late = Promise.withResolvers<undefined>()
  const stop = clock.after(maxWaitMs, () => {
    tooLate.abort()
    late.resolve(undefined)
  })
  try {
    const made = crypto.createThumbnail(picture, room, AbortSignal.any([signal, tooLate.signal]))
    const bytes = await Promise.race([made, late.promise])
    if (!bytes || !smallPictureType(bytes)) return undefined
    return await sealThumbnail({ fileKey, userId, messageId, file: { name, type }, picture: bytes })
  } catch {
    return undefined
  } finally {
    stop()
  }
}

/**
 * Opens the thumbnail of a file message: an own one with the user's key, a received one with the grant of its sender.
 * Undefined, and never an error, where there is none, or none that is safe to show.
 */
export async function openThumbnail(
  deps: DownloadDeps,
  message: DecryptedMessage,
  grant: Grant | undefined,
): Promise<Blob | undefined> {
  const { body, filePath, mine } = message
  if (body.kind !== 'file' || filePath === undefined || body.thumbnail === undefined) return undefined
  const contact = deps.contacts.accepted(message.connectionId)
  const epoch = mine ? message.ownerEpoch : grant?.epochTo
  if (!mayHaveThumbnail(body) || !contact || epoch === undefined) return undefined
  // Without a request, which would show the server that there is a thumbnail.
  if (!deps.keyring.holds(epoch)) return undefined
  try {
    const fileKey = await (grant && !mine
      ? openGrantedKey(deps, contact, filePath, body.keyHash, grant)
      : openOwnKey(deps, message, filePath))
    const bytes = await open({ fileKey, userId: message.senderId, messageId: message.id, sealed: body.thumbnail })
    const type = smallPictureType(bytes)
    return type && new Blob([bytes], { type })
  } catch {
    return undefined
  }
}
