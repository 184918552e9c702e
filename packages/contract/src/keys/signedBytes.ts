import type { BrowserEntry, BrowserLink, BrowserRemoval, RecoveryPair, SealedSeed } from './browserKeys.ts'
import type { EpochKey } from './keys.ts'
import type { Grant } from '../grant.ts'

// The bytes that signatures cover (docs/protocol.md), for the server, which holds no code that encrypts.

const version = 1
/** The version of an epoch, whose form has changed. */
const epochVersion = 2

/** Decodes base64url. The caller's function must refuse any text but the canonical one. */
export type Decode = (text: string) => Uint8Array

const ascii = new TextEncoder()

/**
 * Encodes label length, label, version, then each field with its length as 4 bytes big-endian before it, and leaves
 * `extraBytes` zero bytes behind.
 */
function encode(
  label: string,
  fields: readonly Uint8Array[],
  { extraBytes = 0, number = version } = {},
): Uint8Array<ArrayBuffer> {
  const name = ascii.encode(`privity/${label}`)
  const size = fields.reduce((sum, field) => sum + 4 + field.length, name.length + 2)
  const bytes = new Uint8Array(size + extraBytes)
  const view = new DataView(bytes.buffer)
  bytes[0] = name.length
  bytes.set(name, 1)
  bytes[name.length + 1] = number
  let offset = name.length + 2
  for (const field of fields) {
    view.setUint32(offset, field.length)
    bytes.set(field, offset + 4)
    offset += 4 + field.length
  }
  return bytes
}

const idBytes = (id: string) =>
  Uint8Array.from(id.replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

function integerBytes(value: number, length: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(length))
  if (length === 8) view.setUint32(0, Math.floor(value / 2 ** 32))
  view.setUint32(length - 4, value % 2 ** 32)
  return new Uint8Array(view.buffer)
}

type UnsignedEpoch = Omit<EpochKey, 'signature'>

/** The bytes that an epoch's signature covers. */
export function signedEpochBytes(identityKey: string, epoch: UnsignedEpoch, decode: Decode): Uint8Array<ArrayBuffer> {
  const fields = [
    idBytes(epoch.userId),
    decode(identityKey),
    integerBytes(epoch.n, 4),
    decode(epoch.publicKey),
    integerBytes(epoch.createdAt, 8),
    integerBytes(epoch.startsAt, 8),
    integerBytes(epoch.endsAt, 8),
    decode(epoch.previousHash),
    integerBytes(epoch.features, 4),
  ]
  return encode('epoch', fields, { number: epochVersion })
}

/** The bytes whose SHA-256 is the next epoch's `previousHash`. */
export function hashedEpochBytes(identityKey: string, epoch: EpochKey, decode: Decode): Uint8Array<ArrayBuffer> {
  return encode('epoch-hash', [signedEpochBytes(identityKey, epoch, decode), decode(epoch.signature)])
}

/** The bytes that an identity key signs to confirm the one that takes its place. */
export const signedNextIdentityBytes = (
  { userId, former, next }: { userId: string; former: string; next: string },
  decode: Decode,
): Uint8Array<ArrayBuffer> => encode('next-identity', [idBytes(userId), decode(former), decode(next)])

/** The bytes of a browser's entry that the identity signs. */
export const signedBrowserBytes = (
  identityKey: string,
  entry: Omit<BrowserEntry, 'signature' | 'browserSignature'>,
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('browser', [
    idBytes(entry.userId),
    decode(identityKey),
    idBytes(entry.browserId),
    integerBytes(entry.n, 4),
    decode(entry.kemKey),
    decode(entry.signKey),
    integerBytes(entry.createdAt, 8),
  ])

/** The bytes whose SHA-256 is the hash of an entry. */
export const hashedBrowserBytes = (
  identityKey: string,
  entry: Omit<BrowserEntry, 'browserSignature'>,
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('browser-hash', [signedBrowserBytes(identityKey, entry, decode), decode(entry.signature)])

/** The bytes of a link, which the signing key of the entry before signs; for the first entry its own key does. */
export const signedLinkBytes = (
  { userId, browserId }: Pick<BrowserEntry, 'userId' | 'browserId'>,
  { n, signKey, entryHash }: Omit<BrowserLink, 'signature'>,
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('browser-link', [idBytes(userId), idBytes(browserId), integerBytes(n, 4), decode(signKey), decode(entryHash)])

/** The bytes that a browser signs so that a session belongs to it. */
export const signedSessionBytes = ({
  userId,
  sessionId,
  browserId,
}: {
  userId: string
  sessionId: string
  browserId: string
}): Uint8Array<ArrayBuffer> => encode('browser-session', [idBytes(userId), idBytes(sessionId), idBytes(browserId)])

/** The bytes that the signature of a removal covers. */
export const signedRemovalBytes = (
  identityKey: string,
  { userId, browserId, createdAt }: Omit<BrowserRemoval, 'signature'>,
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('browser-removed', [idBytes(userId), decode(identityKey), idBytes(browserId), integerBytes(createdAt, 8)])

/** The bytes that the signature of the recovery key's pair covers. */
export const signedRecoveryPairBytes = (
  identityKey: string,
  userId: string,
  { kemKey }: Pick<RecoveryPair, 'kemKey'>,
  decode: Decode,
): Uint8Array<ArrayBuffer> => encode('recovery-browser', [idBytes(userId), decode(identityKey), decode(kemKey)])

/** The bytes that the signature of the mode covers: 1 for "Only approved browsers"; `n` counts the changes. */
export const signedBrowserModeBytes = (
  identityKey: string,
  { userId, onlyApproved, n }: { userId: string; onlyApproved: boolean; n: number },
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('browser-mode', [
    idBytes(userId),
    decode(identityKey),
    integerBytes(onlyApproved ? 1 : 0, 4),
    integerBytes(n, 4),
  ])

/** The bytes whose SHA-256 the signature of an approval covers: each seed's epoch and sealed form, in their order. */
export function sealedSeedsBytes(seeds: readonly SealedSeed[], decode: Decode): Uint8Array<ArrayBuffer> {
  return encode(
    'sealed-seeds',
    seeds.flatMap(({ n, sealed }) => [integerBytes(n, 4), decode(sealed)]),
  )
}

/** The bytes that the signature of an approval covers. `seedsHash`: SHA-256 of `sealedSeedsBytes`. */
export const signedApprovalBytes = (
  identityKey: string,
  { userId, browserId, n, seedsHash }: { userId: string; browserId: string; n: number; seedsHash: Uint8Array },
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('browser-approval', [idBytes(userId), decode(identityKey), idBytes(browserId), integerBytes(n, 4), seedsHash])

/** A grant, as its signature names it. */
export interface SignedGrant extends Pick<Grant, 'epochTo' | 'sealedKey'> {
  filePath: string
  from: string
  to: string
  identityFrom: string
  identityTo: string
}

/** The bytes that the signature of a grant covers. */
export const signedGrantBytes = (grant: SignedGrant, decode: Decode): Uint8Array<ArrayBuffer> =>
  encode('grant', [
    ascii.encode(grant.filePath),
    idBytes(grant.from),
    idBytes(grant.to),
    integerBytes(grant.epochTo, 4),
    decode(grant.identityFrom),
    decode(grant.identityTo),
    decode(grant.sealedKey),
  ])

/** The bytes that the signature of an encrypted pin list covers. `hash`: SHA-256 of its sealed form. */
export const signedPinListBytes = (
  identityKey: string,
  { userId, version, hash }: { userId: string; version: number; hash: Uint8Array },
  decode: Decode,
): Uint8Array<ArrayBuffer> => encode('pins', [idBytes(userId), decode(identityKey), integerBytes(version, 4), hash])

/** The bytes that a reporter's signature covers. `hash`: SHA-256 of the sealed report. */
export const signedReportBytes = (
  identityKey: string,
  report: { reporterId: string; messageId: string; keyId: string; hash: Uint8Array },
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('report-signature', [
    idBytes(report.reporterId),
    decode(identityKey),
    idBytes(report.messageId),
    idBytes(report.keyId),
    report.hash,
  ])

/** The bytes whose SHA-256 begins with a message's link. `signature`: the message's, 64 bytes. */
export const messageLinkBytes = (signature: Uint8Array): Uint8Array<ArrayBuffer> => encode('link', [signature])

/** A message as the signature of its deletion names it. `link`: 20 bytes; `number`: 4, that under its envelope. */
export interface DeletedMessage {
  userId: string
  connectionId: string
  messageId: string
  envelopeId: string
  link: Uint8Array
  number: Uint8Array
}

/** The bytes that the signature of a deletion covers. */
export const signedDeletionBytes = (
  identityKey: string,
  { userId, connectionId, messageId, envelopeId, link, number }: DeletedMessage,
  decode: Decode,
): Uint8Array<ArrayBuffer> =>
  encode('message-deleted', [
    idBytes(userId),
    decode(identityKey),
    idBytes(connectionId),
    idBytes(messageId),
    idBytes(envelopeId),
    link,
    number,
  ])

/** The fields that the signature of a message covers besides its content. */
export interface MessageBinding {
  messageId: string
  envelopeId: string
  connectionId: string
  from: string
  to: string
  epochFrom: number
  epochTo: number
  /** base64url of 32 bytes, as `identityTo`. */
  identityFrom: string
  identityTo: string
}

/** header ‖ commitment ‖ SHA-256(ciphertext) */
export function signedMessageBytes(
  binding: MessageBinding,
  commitment: Uint8Array,
  ciphertextHash: Uint8Array,
  decode: Decode,
): Uint8Array<ArrayBuffer> {
  const fields = [
    idBytes(binding.messageId),
    idBytes(binding.envelopeId),
    idBytes(binding.connectionId),
    idBytes(binding.from),
    idBytes(binding.to),
    integerBytes(binding.epochFrom, 4),
    integerBytes(binding.epochTo, 4),
    decode(binding.identityFrom),
    decode(binding.identityTo),
  ]
  const extraBytes = commitment.length + ciphertextHash.length
  const bytes = encode('message-header', fields, { extraBytes })
  bytes.set(commitment, bytes.length - extraBytes)
  bytes.set(ciphertextHash, bytes.length - ciphertextHash.length)
  return bytes
}
