import { randomBytes, randomUUID } from 'node:crypto'
import type { Envelope } from '@privity/contract/messages'
import type { EpochKey, NewKeys } from '@privity/contract/keys'

/** Random bytes in the forms the contract asks for: the server cannot tell them from real ones. */
export const random = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** A wrapped key as a browser would send it: opaque. */
export const wrapped = (): string => random(80)

export interface NewEpoch extends EpochKey {
  wrappedSeed: string
}

export function makeEpoch(userId: string, n: number, createdAt: number): NewEpoch {
  return {
    userId,
    n,
    publicKey: random(1216),
    createdAt,
    previousHash: n === 1 ? Buffer.alloc(32).toString('base64url') : random(32),
    signature: random(64),
    wrappedSeed: wrapped(),
  }
}

export function makeKeys(now: number, userId: string = randomUUID()): NewKeys {
  return {
    userId,
    identityKey: random(32),
    wrappedIdentitySeed: wrapped(),
    wrappedAccountKey: wrapped(),
    recoveryWrappedAccountKey: wrapped(),
    recoveryProof: random(32),
    epoch: makeEpoch(userId, 1, now),
    pins: { version: 1, sealed: random(64) },
  }
}

export function makeEnvelope(
  ends: { connectionId: string; from: string; to: string },
  epochs: { epochFrom: number; epochTo: number } = { epochFrom: 1, epochTo: 1 },
): Envelope {
  return {
    id: randomUUID(),
    ...ends,
    ...epochs,
    sealedForRecipient: random(1168),
    sealedForSender: random(1168),
    signature: random(64),
  }
}

const field = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const uuidBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

/** `content` in the layout of a sealed message around random bytes. */
export function makeContent(
  envelopeId: string,
  { messageId = randomUUID(), padded = 1024 }: { messageId?: string; padded?: 1024 | 2048 } = {},
): { content: string; messageId: string } {
  const label = Buffer.from('privity/message')
  const bytes = Buffer.concat([
    Buffer.from([label.length]),
    label,
    Buffer.from([1]),
    field(uuidBytes(messageId)),
    field(uuidBytes(envelopeId)),
    field(randomBytes(12)),
    field(randomBytes(32)),
    field(randomBytes(padded + 16)),
    field(randomBytes(64)),
  ])
  return { content: bytes.toString('base64url'), messageId }
}
