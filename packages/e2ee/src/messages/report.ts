import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { maxBodyBytes, type MessageBody, readBody, writeBody } from './body.ts'
import { type Bytes, equalBytes, fromUtf8, integerBytes, readInteger, toUtf8 } from '../encoding/bytes.ts'
import { decode, encode } from '../encoding/canonical.ts'
import type { ConversationKey, Envelope } from './envelope.ts'
import { E2eeError } from '../errors.ts'
import { fastHmacSha256, fastSha256 } from '../primitives/hash.ts'
import { createHpkeKeys, hpkePublicKeyBytes, openSealed, sealTo } from '../primitives/hpke.ts'
import { idBytes, idText } from '../encoding/id.ts'
import { messageFields, openMessage } from './message.ts'
import { headerOf } from './messageHeader.ts'
import { sign, verify } from '../primitives/signatures.ts'
import type { Identity } from '../keys/identity.ts'

/** The binding of a report: it opens for this message, sender and reporter only. */
export interface ReportBinding {
  messageId: string
  senderId: string
  reporterId: string
}

/** The content of a reported message, once its signature, commitment and binding are verified. */
export interface OpenedReport {
  body: MessageBody
  /** The reporter's own words, which nothing proves. */
  reason: string
  /** The sender's identity key when they wrote it. */
  identityKey: string
  connectionId: string
  /** The server's receipt covers the commitment, the time and the binding. */
  commitment: string
  createdAt: number
  receipt: string
}

const maxReasonCharacters = 500
/** Every report has the same length, so that it reveals nothing about the message. */
const paddedBytes = 5120

/** Encapsulation, padded report and tag. */
export const sealedReportBytes = 1120 + paddedBytes + 16

const infoOf = ({ messageId, senderId, reporterId }: ReportBinding) =>
  encode('report', [idBytes(messageId), idBytes(senderId), idBytes(reporterId)])

/** The key pair that reports are sealed to; the seed is the private key, 32 bytes. */
export async function createReportKeys(): Promise<{ seed: Bytes; publicKey: string }> {
  const { seed, publicKey } = await createHpkeKeys()
  return { seed, publicKey: toBase64url(publicKey) }
}

function pad(content: Bytes): Bytes {
  const padded = new Uint8Array(paddedBytes)
  padded.set(integerBytes(content.length, 4))
  padded.set(content, 4)
  return padded
}

function unpad(padded: Bytes): Bytes {
  const refuse = () => new E2eeError('MALFORMED', 'The padding of the report is not canonical.')
  if (padded.length !== paddedBytes) throw refuse()
  const length = new DataView(padded.buffer, padded.byteOffset).getUint32(0)
  if (length > paddedBytes - 4 || padded.subarray(4 + length).some((byte) => byte !== 0)) throw refuse()
  return padded.subarray(4, 4 + length)
}

/**
 * Opens a received message and seals its proof and the reason to the founder's `publicKey` (base64url).
 * `receipt` and `createdAt` are the server's. Throws like openMessage, and TOO_LONG for the reason.
 */
export async function sealReport(options: {
  publicKey: string
  message: { content: string; conversationKey: ConversationKey; envelope: Envelope; senderIdentityKey: string }
  receipt: string
  createdAt: number
  reason: string
}): Promise<string> {
  const { publicKey, message, receipt, createdAt, reason } = options
  if (Array.from(reason).length > maxReasonCharacters)
    throw new E2eeError('TOO_LONG', `A reason has at most ${maxReasonCharacters} characters.`)
  const { messageId, body, context, frankingKey, commitment } = await openMessage(message)
  const { ciphertext, signature } = messageFields(message.content)
  const target = new Uint8Array(maxBodyBytes)
  const content = encode('report-content', [
    headerOf(message.conversationKey.header, idBytes(messageId), 0),
    frankingKey,
    commitment,
    await fastSha256(ciphertext),
    signature,
    target.subarray(0, writeBody(body, context, target)),
    fromBase64urlOf(receipt, 32),
    integerBytes(createdAt, 8),
    toUtf8(reason),
  ])
  const { from: senderId, to: reporterId } = message.envelope
  const info = infoOf({ messageId, senderId, reporterId })
  return toBase64url(await sealTo(fromBase64urlOf(publicKey, hpkePublicKeyBytes), info, pad(content)))
}

/** Signs a sealed report as its reporter; base64url of 64 bytes. `keyId`: the founder's key that it is sealed to. */
export async function signReport(
  identity: Identity,
  { reporterId, messageId, keyId, sealed }: { reporterId: string; messageId: string; keyId: string; sealed: string },
): Promise<string> {
  const fields = [
    idBytes(reporterId),
    fromBase64urlOf(identity.publicKey, 32),
    idBytes(messageId),
    idBytes(keyId),
    await fastSha256(fromBase64urlOf(sealed, sealedReportBytes)),
  ]
  return toBase64url(await sign(identity.sign, encode('report-signature', fields)))
}

const contentSizes = [212, 32, 32, 32, 64, undefined, 32, 8, undefined]
const headerSizes = [16, 16, 16, 16, 16, 4, 4, 32, 32]

/** The binding, connection and sender that a header claims. */
function readHeader(header: Bytes) {
  const [messageId, , connectionId, from, to, , , identityFrom] = decode('message-header', header, headerSizes) as [
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
  ]
  return {
    binding: { messageId: idText(messageId), senderId: idText(from), reporterId: idText(to) },
    connectionId: idText(connectionId),
    identityKey: toBase64url(identityFrom),
  }
}

const isSame = (one: ReportBinding, other: ReportBinding) => equalBytes(infoOf(one), infoOf(other))

/**
 * Opens a report with the founder's `seed` and verifies the sender's signature and commitment. The caller asks the
 * server to verify the receipt: without it the text is only that of the holder of `identityKey`. Throws
 * MALFORMED, AUTHENTICATION_FAILED, WRONG_BINDING, BAD_SIGNATURE or BAD_COMMITMENT: then show nothing of it.
 */
export async function openReport(options: {
  seed: Bytes
  sealed: string
  binding: ReportBinding
}): Promise<OpenedReport> {
  const { seed, sealed, binding } = options
  const padded = await openSealed(seed, infoOf(binding), fromBase64urlOf(sealed, sealedReportBytes))
  const fields = decode('report-content', unpad(padded), contentSizes)
  const [header, frankingKey, commitment, ciphertextHash, signature, body, receipt, createdAt, reason] = fields as [
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
    Bytes,
  ]
  const claimed = readHeader(header)
  if (!isSame(claimed.binding, binding))
    throw new E2eeError('WRONG_BINDING', 'The reported message is another, or of other people.')
  const signed = new Uint8Array([...header, ...commitment, ...ciphertextHash])
  await verify(claimed.identityKey, signature.slice(), signed)
  if (!equalBytes(await fastHmacSha256(frankingKey.slice(), header, body), commitment))
    throw new E2eeError('BAD_COMMITMENT', 'The text is not the one its sender committed to.')
  return {
    body: readBody(body).body,
    reason: fromUtf8(reason),
    identityKey: claimed.identityKey,
    connectionId: claimed.connectionId,
    commitment: toBase64url(commitment),
    createdAt: readInteger(createdAt),
    receipt: toBase64url(receipt),
  }
}
