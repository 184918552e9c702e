import { generateKeyPairSync, hash, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import {
  hashedEpochBytes,
  signedEpochBytes,
  type MessageBinding,
  signedMessageBytes,
  signedPinListBytes,
  signedRecoveryPairBytes,
} from '@privity/contract/signedBytes'
import type { RecoveryPair } from '@privity/contract/browserKeys'
import type { Envelope } from '@privity/contract/messages'
import type { EpochKey, NewKeys, PinListChange } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { newId } from '../../../src/core/ids.ts'
import { startOfTests } from './fakeClock.ts'

/**
 * Random bytes in the forms that the contract requires: the server cannot tell them from real ones. Epochs and messages
 * have real signatures, because the server verifies those.
 */
export const random = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** A wrapped key in a browser's form: opaque. */
export const wrapped = (): string => random(80)

export interface NewEpoch extends EpochKey {
  wrappedSeed: string
}

interface Signer {
  identityKey: string
  sign: KeyObject
  /** The first epoch, and the newest epoch of each later number. */
  made: Map<number, EpochKey>
}

const signers = new Map<string, Signer>()

function createSigner(userId: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const signer = { identityKey: x, sign: privateKey, made: new Map<number, EpochKey>() }
  signers.set(userId, signer)
  return signer
}

/** Signs everything that the user sends from now on with this identity key, as after new keys. */
export function useIdentity(userId: string, identityKey: string, key: KeyObject): void {
  signers.set(userId, { identityKey, sign: key, made: new Map<number, EpochKey>() })
}

/** Signs with the user's identity key of now. */
export const signAs = (userId: string, bytes: Uint8Array): string =>
  sign(null, bytes, (signers.get(userId) as Signer).sign).toString('base64url')

const decode = (text: string) => Buffer.from(text, 'base64url')

/** The user's identity key of now. */
export const identityKeyOf = (userId: string): string => (signers.get(userId) as Signer).identityKey

/** A pin list as the user's browser puts it: random bytes, signed. */
export function makePins(userId: string, version: number, sealed: string = random(40)): PinListChange {
  const { identityKey } = signers.get(userId) as Signer
  const signed = { userId, version, hash: hash('sha256', decode(sealed), 'buffer') }
  return { version, sealed, signature: signAs(userId, signedPinListBytes(identityKey, signed, decode)) }
}

/** Signs an epoch with the identity key that `makeKeys` created for this user. */
export function signEpoch(unsigned: Omit<EpochKey, 'signature'>): NewEpoch {
  const signer = signers.get(unsigned.userId) ?? createSigner(unsigned.userId)
  const bytes = signedEpochBytes(signer.identityKey, unsigned, decode)
  return { ...unsigned, signature: sign(null, bytes, signer.sign).toString('base64url'), wrappedSeed: wrapped() }
}

/** A signed epoch that follows the newest one; it begins when it is made, unless `startsAt` is given. */
export function makeEpoch(userId: string, n: number, createdAt: number, startsAt: number = createdAt): NewEpoch {
  const signer = signers.get(userId) ?? createSigner(userId)
  const before = signer.made.get(n - 1)
  const linked = before && hash('sha256', hashedEpochBytes(signer.identityKey, before, decode), 'base64url')
  const previousHash = n === 1 ? Buffer.alloc(32).toString('base64url') : (linked ?? random(32))
  const times = { createdAt, startsAt, endsAt: startsAt + limits.epochDuration }
  const epoch = signEpoch({ userId, n, publicKey: random(1216), ...times, previousHash, features: 0 })
  if (n > 1 || !signer.made.has(1)) signer.made.set(n, epoch)
  return epoch
}

/** Epochs of the next 7 days after epoch `first`, as a browser publishes them. */
export function makeEpochsAhead(first: EpochKey): NewEpoch[] {
  const { userId, createdAt } = first
  return Array.from({ length: limits.epochsAhead - 1 }, (_, i) =>
    makeEpoch(userId, first.n + i + 1, createdAt, first.endsAt + i * limits.epochDuration),
  )
}

/** The call that publishes epochs. */
export const publication = (...epochs: NewEpoch[]) => ({ body: { epochs } })

/** The pair of a recovery key, signed by the user's identity key of now. */
export function makeRecoveryPair(userId: string): RecoveryPair {
  const { identityKey, sign: key } = signers.get(userId) as Signer
  return signRecoveryPair(userId, { identityKey, key })
}

export function signRecoveryPair(userId: string, by: { identityKey: string; key: KeyObject }): RecoveryPair {
  const kemKey = random(1216)
  const bytes = signedRecoveryPairBytes(by.identityKey, userId, { kemKey }, decode)
  return { kemKey, signature: sign(null, bytes, by.key).toString('base64url') }
}

export function makeKeys(now: number, userId: string = randomUUID()): NewKeys {
  const { identityKey } = createSigner(userId)
  return {
    userId,
    identityKey,
    wrappedIdentitySeed: wrapped(),
    wrappedAccountKey: wrapped(),
    recoveryWrappedAccountKey: wrapped(),
    recoveryProof: random(32),
    recovery: makeRecoveryPair(userId),
    epoch: makeEpoch(userId, 1, now),
    pins: { version: 1, sealed: random(64) },
  }
}

export function makeEnvelope(
  ends: { connectionId: string; from: string; to: string },
  epochs: { epochFrom: number; epochTo: number } = { epochFrom: 1, epochTo: 1 },
  now: number = startOfTests,
): Envelope {
  const envelope = {
    id: newId(now),
    ...ends,
    ...epochs,
    sealedForRecipient: random(1168),
    sealedForSender: random(1168),
    signature: random(64),
  }
  bind(envelope)
  return envelope
}

/** The binding of each envelope's messages, and the key that signs them. */
const bound = new Map<string, { binding: Omit<MessageBinding, 'messageId'>; key: KeyObject }>()

/** Binds an envelope to the current identity keys of both users; without keys, nothing can be signed. */
function bind({ id: envelopeId, connectionId, from, to, epochFrom, epochTo }: Envelope): void {
  const [sender, recipient] = [signers.get(from), signers.get(to)]
  if (sender === undefined || recipient === undefined) return
  const identities = { identityFrom: sender.identityKey, identityTo: recipient.identityKey }
  const binding = { envelopeId, connectionId, from, to, epochFrom, epochTo, ...identities }
  bound.set(envelopeId, { binding, key: sender.sign })
}

function signatureOf(envelopeId: string, messageId: string, commitment: Buffer, ciphertext: Buffer, by?: KeyObject) {
  const envelope = bound.get(envelopeId)
  if (envelope === undefined) return randomBytes(64)
  const ciphertextHash = hash('sha256', ciphertext, 'buffer')
  const signed = signedMessageBytes({ ...envelope.binding, messageId }, commitment, ciphertextHash, decode)
  return sign(null, signed, by ?? envelope.key)
}

const field = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const uuidBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

interface ContentOptions {
  messageId?: string
  padded?: 1024 | 2304
  ciphertext?: Buffer
  /** Signs in place of the sender's identity key. */
  by?: KeyObject
}

/**
 * `content` in the layout of an encrypted message around random bytes, signed by the sender of an envelope created
 * here.
 */
export function makeContent(
  envelopeId: string,
  { messageId = randomUUID(), padded = 1024, ciphertext = randomBytes(padded + 16), by }: ContentOptions = {},
): { content: string; messageId: string } {
  const commitment = randomBytes(32)
  const label = Buffer.from('privity/message')
  const bytes = Buffer.concat([
    Buffer.from([label.length]),
    label,
    Buffer.from([1]),
    field(uuidBytes(messageId)),
    field(uuidBytes(envelopeId)),
    field(randomBytes(12)),
    field(commitment),
    field(ciphertext),
    field(signatureOf(envelopeId, messageId, commitment, ciphertext, by)),
  ])
  return { content: bytes.toString('base64url'), messageId }
}
