import { hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type MessageBinding, signedMessageBytes } from '@privity/contract/signedBytes'

/**
 * Contents in the form that the server accepts as an encrypted message, filled with random bytes: encryption is
 * measured elsewhere, and the load generator must stay cheap. Only the signature is real, because the server verifies
 * it. The running number of a message is part of its messageId.
 */
const label = Buffer.from('privity/message')
const start = 1 + label.length + 1
const idAt = start + 4
const sizes = [16, 16, 12, 32, 1024 + 16, 64]
const total = start + sizes.reduce((sum, size) => sum + 4 + size, 0)

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** The binding of an envelope and its messages (users and keys), and the key that signs them. */
export interface Signing {
  binding: Omit<MessageBinding, 'messageId' | 'envelopeId'>
  key: KeyObject
}

const signatureAt = total - 64
const commitmentAt = start + 4 + 16 + 4 + 16 + 4 + 12 + 4
const ciphertextAt = commitmentAt + 32 + 4
const headerIdAt = 1 + 'privity/message-header'.length + 1 + 4
const decode = (text: string) => Buffer.from(text, 'base64url')

/** The bytes that are signed; only the message id in them changes between messages of one maker. */
function signedBytes(envelopeId: string, bytes: Buffer, { binding }: Signing): Uint8Array {
  const of = { ...binding, envelopeId, messageId: '00000000-0000-0000-0000-000000000000' }
  const ciphertextHash = hash('sha256', bytes.subarray(ciphertextAt, signatureAt - 4), 'buffer')
  return signedMessageBytes(of, bytes.subarray(commitmentAt, commitmentAt + 32), ciphertextHash, decode)
}

/**
 * Returns a function that makes contents under one envelope; a number from 0 to 2^32 - 1 gives each its own id. Without
 * `signing`, the contents suit only a directly filled database: the server would refuse them.
 */
export function sealedContents(envelopeId: string, signing?: Signing): (number: number) => string {
  const bytes = randomBytes(total)
  bytes[0] = label.length
  label.copy(bytes, 1)
  bytes[start - 1] = 1
  let at = start
  for (const size of sizes) {
    bytes.writeUInt32BE(size, at)
    at += 4 + size
  }
  bytesOf(envelopeId).copy(bytes, start + 4 + 16 + 4)
  bytes[idAt + 6] = 0x70 | ((bytes[idAt + 6] as number) & 15)
  bytes[idAt + 8] = 0x80 | ((bytes[idAt + 8] as number) & 63)
  const signed = signing && signedBytes(envelopeId, bytes, signing)
  return (number) => {
    // Ids are UUIDv7, in the order of time, as the client makes them.
    bytes.writeUIntBE(Date.now(), idAt, 6)
    bytes.writeUInt32BE(number, idAt + 12)
    if (signing && signed) {
      signed.set(bytes.subarray(idAt, idAt + 16), headerIdAt)
      sign(null, signed, signing.key).copy(bytes, signatureAt)
    }
    return bytes.toString('base64url')
  }
}

const prefixLength = Math.ceil((idAt + 16) / 3) * 4

/** The running number in a message's content. */
export function numberOf(content: string): number {
  return Buffer.from(content.slice(0, prefixLength), 'base64url').readUInt32BE(idAt + 12)
}
