import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, randomBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { type EpochKey, epochPublicKey, verifyEpoch } from '../keys/epoch.ts'
import { deriveEpochKey } from '../keys/epochSeed.ts'
import { E2eeError } from '../errors.ts'
import { openSealed, sealedKeyBytes, sealTo } from '../primitives/hpke.ts'
import type { Identity } from '../keys/identity.ts'
import { bindingFields, type ConversationBinding, messageHeader } from './messageHeader.ts'
import { importSealingKey } from '../primitives/aead.ts'
import { sign, verify } from '../primitives/signatures.ts'

/** The conversation key of one sender for a pair of epochs, sealed to both participants, as it travels. */
export interface Envelope {
  id: string
  connectionId: string
  from: string
  to: string
  epochFrom: number
  epochTo: number
  sealedForRecipient: string
  sealedForSender: string
  signature: string
}

/** An opened envelope, for sealMessage and openMessage. Can be kept in IndexedDB as it is. */
export interface ConversationKey {
  readonly binding: ConversationBinding
  /** The header of its messages, with 16 zero bytes for the message's id. */
  readonly header: Bytes
  readonly key: CryptoKey
}

const infoFor = (side: 'recipient' | 'sender', binding: ConversationBinding) =>
  encode(`envelope-${side}`, bindingFields(binding))

const signedBytes = (binding: ConversationBinding, sealedForRecipient: Bytes, sealedForSender: Bytes) =>
  encode('envelope', [...bindingFields(binding), sealedForRecipient, sealedForSender])

async function conversationKey(binding: ConversationBinding, raw: Bytes): Promise<ConversationKey> {
  return { binding, header: messageHeader(binding), key: await importSealingKey(raw) }
}

async function checkEpoch(userId: string, identityKey: string, epoch: EpochKey): Promise<Bytes> {
  if (epoch.userId !== userId) throw new E2eeError('WRONG_BINDING', 'The epoch key is of another user.')
  await verifyEpoch(identityKey, epoch)
  return epochPublicKey(epoch)
}

/** Both epochs are verified before anything is sealed to them. Throws MALFORMED, BAD_SIGNATURE or WRONG_BINDING. */
export async function createEnvelope(options: {
  id: string
  connectionId: string
  sender: { userId: string; identity: Identity; epoch: EpochKey }
  recipient: { userId: string; identityKey: string; epoch: EpochKey }
}): Promise<{ envelope: Envelope; conversationKey: ConversationKey }> {
  const { id, connectionId, sender, recipient } = options
  const [senderKey, recipientKey] = await Promise.all([
    checkEpoch(sender.userId, sender.identity.publicKey, sender.epoch),
    checkEpoch(recipient.userId, recipient.identityKey, recipient.epoch),
  ])
  const route = { id, connectionId, from: sender.userId, to: recipient.userId }
  const epochs = { epochFrom: sender.epoch.n, epochTo: recipient.epoch.n }
  const binding = { ...route, ...epochs, identityFrom: sender.identity.publicKey, identityTo: recipient.identityKey }
  const raw = randomBytes(32)
  const [forRecipient, forSender] = await Promise.all([
    sealTo(recipientKey, infoFor('recipient', binding), raw),
    sealTo(senderKey, infoFor('sender', binding), raw),
  ])
  const signature = await sign(sender.identity.sign, signedBytes(binding, forRecipient, forSender))
  const envelope = {
    ...route,
    ...epochs,
    sealedForRecipient: toBase64url(forRecipient),
    sealedForSender: toBase64url(forSender),
    signature: toBase64url(signature),
  }
  return { envelope, conversationKey: await conversationKey(binding, raw) }
}

/**
 * Opens the copy for `me`. `seed` is that of the own epoch that the envelope names: epochFrom of the sender, epochTo of
 * the recipient.
 * Throws MALFORMED, WRONG_BINDING, BAD_SIGNATURE or AUTHENTICATION_FAILED.
 */
export async function openEnvelope(options: {
  envelope: Envelope
  me: { userId: string; identityKey: string }
  seed: Bytes
  contact: { userId: string; identityKey: string }
}): Promise<ConversationKey> {
  const { envelope, me, seed, contact } = options
  const mine = envelope.from === me.userId
  const [from, to] = mine ? [me, contact] : [contact, me]
  if (envelope.from !== from.userId || envelope.to !== to.userId || me.userId === contact.userId) {
    throw new E2eeError('WRONG_BINDING', 'The envelope is between other users.')
  }
  const { id, connectionId, epochFrom, epochTo } = envelope
  const route = { id, connectionId, from: from.userId, to: to.userId }
  const binding = { ...route, epochFrom, epochTo, identityFrom: from.identityKey, identityTo: to.identityKey }
  const forRecipient = fromBase64urlOf(envelope.sealedForRecipient, sealedKeyBytes)
  const forSender = fromBase64urlOf(envelope.sealedForSender, sealedKeyBytes)
  const signature = fromBase64urlOf(envelope.signature, 64)
  await verify(from.identityKey, signature, signedBytes(binding, forRecipient, forSender))
  const epochKey = await deriveEpochKey(seed)
  const raw = mine
    ? await openSealed(epochKey, infoFor('sender', binding), forSender)
    : await openSealed(epochKey, infoFor('recipient', binding), forRecipient)
  return conversationKey(binding, raw)
}
