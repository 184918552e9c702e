import { fromBase64url } from '../encoding/base64url.ts'
import { type MessageBody, readBody } from './body.ts'
import { linkOf, type MessageContext } from './context.ts'
import { type Bytes, equalBytes } from '../encoding/bytes.ts'
import { decode, encodeText } from '../encoding/canonical.ts'
import type { ConversationKey, Envelope } from './envelope.ts'
import { E2eeError } from '../errors.ts'
import { fastHmacSha256, fastSha256 } from '../primitives/hash.ts'
import { idBytes, idText } from '../encoding/id.ts'
import type { Identity } from '../keys/identity.ts'
import { envelopeIdOf, headerOf } from './messageHeader.ts'
import { layOut, plaintextSizes, readPadded } from './plaintext.ts'
import { decrypt, encrypt, ivBytes, tagBytes } from '../primitives/aead.ts'
import { sign, verify } from '../primitives/signatures.ts'

const hashBytes = 32
const fieldSizes = [16, 16, ivBytes, hashBytes, plaintextSizes.map((size) => size + tagBytes), 64]

/** Throws WRONG_BINDING for the key of another envelope, which would bind the message to the wrong conversation. */
function checkEnvelope({ binding }: ConversationKey, envelope: Envelope, senderIdentityKey: string): void {
  const same =
    binding.id === envelope.id &&
    binding.connectionId === envelope.connectionId &&
    binding.from === envelope.from &&
    binding.to === envelope.to &&
    binding.epochFrom === envelope.epochFrom &&
    binding.epochTo === envelope.epochTo &&
    binding.identityFrom === senderIdentityKey
  if (!same) throw new E2eeError('WRONG_BINDING', 'The key is of another envelope or sender.')
}

/** header || commitment || SHA-256(ciphertext): all of it is signed, and all but the hash is the AAD. */
function transcript(shared: Bytes, messageId: Bytes) {
  const signed = headerOf(shared, messageId, 2 * hashBytes)
  const header = signed.subarray(0, shared.length)
  return { signed, header, aad: signed.subarray(0, shared.length + hashBytes) }
}

/**
 * `content` of POST /api/messages, base64url.
 * Throws TOO_LONG (over 500 characters), MALFORMED or WRONG_BINDING.
 */
export async function sealMessage(options: {
  conversationKey: ConversationKey
  identity: Identity
  messageId: string
  envelope: Envelope
  body: MessageBody
  context: MessageContext
}): Promise<string> {
  const { conversationKey, identity, envelope } = options
  checkEnvelope(conversationKey, envelope, identity.publicKey)
  const messageId = idBytes(options.messageId)
  const { iv, padded, frankingKey, body } = layOut(options.body, options.context)
  const { signed, header, aad } = transcript(conversationKey.header, messageId)
  const commitment = await fastHmacSha256(frankingKey, header, body)
  signed.set(commitment, header.length)
  const ciphertext = await encrypt(conversationKey.key, iv, aad, padded)
  signed.set(await fastSha256(ciphertext), aad.length)
  const signature = await sign(identity.sign, signed)
  const fields = [messageId, envelopeIdOf(header), iv, commitment, ciphertext, signature]
  return encodeText('message', fields)
}

const read = (content: string) =>
  decode('message', fromBase64url(content), fieldSizes) as [Bytes, Bytes, Bytes, Bytes, Bytes, Bytes]

/** Returns the parts of a message that a report must carry. Throws MALFORMED. */
export function messageFields(content: string): { ciphertext: Bytes; signature: Bytes } {
  const [, , , , ciphertext, signature] = read(content)
  return { ciphertext, signature }
}

/** The link that later messages name this one by. Throws MALFORMED. */
export async function messageLink(content: string): Promise<string> {
  return linkOf(messageFields(content).signature)
}

/** The content of a sealed message, once its signature, encryption and commitment are verified. */
export interface OpenedMessage {
  messageId: string
  body: MessageBody
  context: MessageContext
  /** 32 bytes; with it and `commitment` the recipient can prove the content to others. */
  frankingKey: Bytes
  /** 32 bytes */
  commitment: Bytes
}

/** Throws MALFORMED, WRONG_BINDING, BAD_SIGNATURE, AUTHENTICATION_FAILED or BAD_COMMITMENT: then show nothing of it. */
export async function openMessage(options: {
  content: string
  conversationKey: ConversationKey
  envelope: Envelope
  senderIdentityKey: string
}): Promise<OpenedMessage> {
  const { content, conversationKey, envelope, senderIdentityKey } = options
  checkEnvelope(conversationKey, envelope, senderIdentityKey)
  const [messageId, envelopeId, iv, commitment, ciphertext, signature] = read(content)
  const { signed, header, aad } = transcript(conversationKey.header, messageId)
  if (!equalBytes(envelopeId, envelopeIdOf(header))) {
    throw new E2eeError('WRONG_BINDING', 'The message is of another envelope.')
  }
  signed.set(commitment, header.length)
  signed.set(await fastSha256(ciphertext), aad.length)
  // Runs in parallel; nothing decrypted is returned before the signature is verified.
  const verified = verify(senderIdentityKey, signature, signed)
  const opened = decryptBody(conversationKey.key, iv, aad, ciphertext, commitment)
  opened.catch(() => {})
  await verified
  return { messageId: idText(messageId), commitment: commitment.slice(), ...(await opened) }
}

/** Decrypts the body and verifies it against the commitment that ends the AAD. */
async function decryptBody(key: CryptoKey, iv: Bytes, aad: Bytes, ciphertext: Bytes, commitment: Bytes) {
  const { frankingKey, body } = readPadded(await decrypt(key, iv, aad, ciphertext))
  const header = aad.subarray(0, -hashBytes)
  if (!equalBytes(await fastHmacSha256(frankingKey, header, body), commitment)) {
    throw new E2eeError('BAD_COMMITMENT', 'The message is not the one its sender committed to.')
  }
  return { ...readBody(body), frankingKey: frankingKey.slice() }
}
