import type { Bytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'
import { E2eeError } from '../errors.ts'
import { type FileBody, sealedThumbnailBytes } from '../messages/body.ts'
import { ivBytes, openText, sealText, tagBytes } from '../primitives/aead.ts'
import { deriveInfo, deriveSealingKey, importSecret } from '../primitives/derive.ts'

/** The owner of a file, and the message that carries it. */
interface ThumbnailBinding {
  fileKey: Bytes
  userId: string
  messageId: string
}

const lengthBytes = 2
const overhead = encode('sealed', [new Uint8Array(ivBytes), new Uint8Array(tagBytes)]).length

/** Derived from the file key, so that nobody opens the thumbnail who could not open the file. */
const keyFrom = async (fileKey: Bytes) => deriveSealingKey(await importSecret(fileKey), deriveInfo('thumbnail-key'))

const aadFor = ({ userId, messageId }: ThumbnailBinding) => encode('thumbnail', [idBytes(userId), idBytes(messageId)])

/** The largest picture that a message has room for besides the file's name and type, in bytes. */
export const maxThumbnailBytes = (file: Pick<FileBody, 'name' | 'type'>): number =>
  sealedThumbnailBytes(file) - overhead - lengthBytes

/** Seals length (2) || picture || zeros: all the room that the message has. Throws TOO_LONG. */
export async function sealThumbnail(
  options: ThumbnailBinding & { file: Pick<FileBody, 'name' | 'type'>; picture: Bytes },
): Promise<string> {
  const { picture, file, fileKey } = options
  const room = maxThumbnailBytes(file)
  if (picture.length > room) throw new E2eeError('TOO_LONG', `There is room for ${room} bytes of a picture.`)
  const padded = new Uint8Array(lengthBytes + room)
  new DataView(padded.buffer).setUint16(0, picture.length)
  padded.set(picture, lengthBytes)
  return sealText(await keyFrom(fileKey), aadFor(options), padded)
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export async function openThumbnail(options: ThumbnailBinding & { sealed: string }): Promise<Bytes> {
  const padded = await openText(await keyFrom(options.fileKey), aadFor(options), options.sealed)
  if (padded.length < lengthBytes) throw new E2eeError('MALFORMED', 'The thumbnail has no length.')
  const end = lengthBytes + new DataView(padded.buffer, padded.byteOffset).getUint16(0)
  if (end > padded.length || padded.subarray(end).some((byte) => byte !== 0))
    throw new E2eeError('MALFORMED', 'This is not the padding of a thumbnail.')
  return padded.slice(lengthBytes, end)
}
