import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { signedMessageBytes } from '@privity/contract/signedBytes'
import { placeOf } from '../connections/membership.ts'
import type { Sending } from './types.ts'
import type { SendFacts } from './sendQueries.ts'

/** With a callback `verify` runs in a thread of the pool: a verification takes longer than all else a message costs. */
const verifyInPool = promisify(verify)

/** Importing a key costs a third of a verification, so this many imported keys are cached. */
const maxKeys = 10_000
const keys = new Map<string, KeyObject>()

function publicKeyOf(identityKey: string): KeyObject {
  const cached = keys.get(identityKey)
  if (cached !== undefined) return cached
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: identityKey }, format: 'jwk' })
  const [oldest] = keys.keys()
  if (keys.size >= maxKeys && oldest !== undefined) keys.delete(oldest)
  keys.set(identityKey, key)
  return key
}

/** Decodes without validation: stored keys were validated when they were published. */
const decode = (text: string) => Buffer.from(text, 'base64url')

/** The epochs that the envelope names: the stored one, or else the one that comes with the message. */
const epochsOf = ({ body: { envelope } }: Sending, { epoch_from: from, epoch_to: to }: SendFacts) =>
  [from ?? envelope?.epochFrom, to ?? envelope?.epochTo] as const

/**
 * Whether the sender's identity key signed the message for this conversation, with the header rebuilt from `facts`.
 * Does not reject points of small order: recipients do, and they admit nobody but the owner of the key.
 */
async function hasValidSignature(sending: Sending, facts: SendFacts): Promise<boolean> {
  const { userId, body, sealed } = sending
  const { mine_identity: identityFrom, peer_identity: identityTo } = facts
  const [epochFrom, epochTo] = epochsOf(sending, facts)
  if (identityFrom === null || identityTo === null || epochFrom === undefined || epochTo === undefined) return false
  const { messageId, envelopeId, commitment, ciphertext, signature } = sealed
  const route = { connectionId: body.connectionId, from: userId, to: placeOf(facts, userId).contactId }
  const binding = { messageId, envelopeId, ...route, epochFrom, epochTo, identityFrom, identityTo }
  const signed = signedMessageBytes(binding, commitment, hash('sha256', ciphertext, 'buffer'), decode)
  return verifyInPool(null, signed, publicKeyOf(identityFrom), signature)
}

/** Compares the epochs too: once an envelope has expired, another one can come with its id. */
function isSameHeader(sending: Sending, one: SendFacts, other: SendFacts): boolean {
  const [epochs, others] = [epochsOf(sending, one), epochsOf(sending, other)]
  return (
    one.mine_identity === other.mine_identity &&
    one.peer_identity === other.peer_identity &&
    epochs.every((epoch, index) => epoch === others[index])
  )
}

/** Whether the signature has already been verified under the header that `facts` give. */
export const isVerified = (sending: Sending, facts: SendFacts): boolean =>
  sending.verifiedUnder !== undefined && isSameHeader(sending, sending.verifiedUnder, facts)

/** Verifies the signature of a message once, however often storing it is retried. */
export async function verifyMessage(sending: Sending, facts: SendFacts): Promise<boolean> {
  if (isVerified(sending, facts)) return true
  if (!(await hasValidSignature(sending, facts))) return false
  sending.verifiedUnder = facts
  return true
}
