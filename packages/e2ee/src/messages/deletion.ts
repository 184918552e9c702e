import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, concat, integerBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'
import type { Identity } from '../keys/identity.ts'
import { sign, verify } from '../primitives/signatures.ts'
import { linkBytes } from './context.ts'

/** The message that a deletion names. `link`: as later messages name it, so that none can take another's place. */
export interface DeletedMessage {
  /** The sender's. */
  userId: string
  connectionId: string
  messageId: string
  envelopeId: string
  link: string
}

const numberBytes = 4
const deletionBytes = numberBytes + 64

const signedBytes = (
  identityKey: string,
  { userId, connectionId, messageId, envelopeId, link }: DeletedMessage,
  number: Bytes,
) =>
  encode('message-deleted', [
    idBytes(userId),
    fromBase64urlOf(identityKey, 32),
    idBytes(connectionId),
    idBytes(messageId),
    idBytes(envelopeId),
    fromBase64urlOf(link, linkBytes),
    number,
  ])

/**
 * Signs the deletion of an own message. `n`: its number under the envelope, which nothing else says once it is deleted.
 * Returns base64url of n (4) || signature (64).
 */
export async function signDeletion(identity: Identity, message: DeletedMessage, n: number): Promise<string> {
  const number = integerBytes(n, numberBytes)
  return toBase64url(concat(number, await sign(identity.sign, signedBytes(identity.publicKey, message, number))))
}

/**
 * Returns the number of the deleted message under its envelope. Throws BAD_SIGNATURE unless the holder of `identityKey`
 * signed the deletion of this message.
 */
export async function verifyDeletion(identityKey: string, message: DeletedMessage, deletion: string): Promise<number> {
  const bytes = fromBase64urlOf(deletion, deletionBytes)
  const number = bytes.slice(0, numberBytes)
  await verify(identityKey, bytes.slice(numberBytes), signedBytes(identityKey, message, number))
  return new DataView(number.buffer).getUint32(0)
}
