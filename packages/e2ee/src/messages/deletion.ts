import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
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

const signedBytes = (identityKey: string, { userId, connectionId, messageId, envelopeId, link }: DeletedMessage) =>
  encode('message-deleted', [
    idBytes(userId),
    fromBase64urlOf(identityKey, 32),
    idBytes(connectionId),
    idBytes(messageId),
    idBytes(envelopeId),
    fromBase64urlOf(link, linkBytes),
  ])

/** Signs the deletion of an own message; base64url of 64 bytes. */
export const signDeletion = async (identity: Identity, message: DeletedMessage): Promise<string> =>
  toBase64url(await sign(identity.sign, signedBytes(identity.publicKey, message)))

/** Throws BAD_SIGNATURE unless the holder of `identityKey` signed the deletion of this message. */
export const verifyDeletion = (identityKey: string, message: DeletedMessage, signature: string): Promise<void> =>
  verify(identityKey, fromBase64urlOf(signature, 64), signedBytes(identityKey, message))
