import { type Bytes, integerBytes, toUtf8 } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { deriveInfo, deriveSealingKey, importSecret } from '../primitives/derive.ts'
import { idBytes } from '../encoding/id.ts'
import { openText, sealText } from '../primitives/aead.ts'

/** The binding of what a file's owner stores on the server for themselves. `seed` is that of their own epoch. */
export interface OwnerSeal {
  seed: Bytes
  userId: string
  epoch: number
  /** The connection and recipient of the file: it can be authorized for nobody else. */
  connectionId: string
  recipientId: string
  fileId: string
  purpose: 'file-name' | 'file-key'
}

const sealingKeyOf = async ({ seed }: OwnerSeal) => deriveSealingKey(await importSecret(seed), deriveInfo('owner-key'))

function bindingOf({ userId, epoch, connectionId, recipientId, fileId, purpose }: OwnerSeal): Bytes {
  const ids = [connectionId, recipientId, fileId].map(idBytes)
  return encode('owner', [idBytes(userId), integerBytes(epoch, 4), ...ids, toUtf8(purpose)])
}

/** Sealed under the epoch, so that it becomes unreadable with the epoch's seed, like the message itself. */
export async function sealForOwner(seal: OwnerSeal, plain: Bytes): Promise<string> {
  return sealText(await sealingKeyOf(seal), bindingOf(seal), plain)
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export async function openForOwner(seal: OwnerSeal, sealed: string): Promise<Bytes> {
  return openText(await sealingKeyOf(seal), bindingOf(seal), sealed)
}
