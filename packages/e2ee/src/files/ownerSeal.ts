import { type Bytes, fromUtf8, integerBytes, toUtf8, writeUtf8 } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'
import { deriveOwnerKey } from '../keys/epochSeed.ts'
import { idBytes } from '../encoding/id.ts'
import { openText, sealText } from '../primitives/aead.ts'

/** The binding of what a file's owner stores on the server for themselves. `seed` is that of their own epoch. */
export interface OwnerSeal {
  seed: Bytes
  userId: string
  epoch: number
  /** The connection and recipient of the file: it can be authorized for nobody else. */
  connectionId: string
  recipientId: string
  fileId: string
  purpose: 'file-name' | 'file-key'
}

function bindingOf({ userId, epoch, connectionId, recipientId, fileId, purpose }: OwnerSeal): Bytes {
  const ids = [connectionId, recipientId, fileId].map(idBytes)
  return encode('owner', [idBytes(userId), integerBytes(epoch, 4), ...ids, toUtf8(purpose)])
}

/** Sealed under the epoch, so that it becomes unreadable with the epoch's seed, like the message itself. */
export async function sealForOwner(seal: OwnerSeal, plain: Bytes): Promise<string> {
  return sealText(await deriveOwnerKey(seal.seed), bindingOf(seal), plain)
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export async function openForOwner(seal: OwnerSeal, sealed: string): Promise<Bytes> {
  return openText(await deriveOwnerKey(seal.seed), bindingOf(seal), sealed)
}

/** Holds 255 UTF-16 units, of at most 3 bytes each, and their length. */
const paddedNameBytes = 768
const nameLengthBytes = 2

/** Length (2) || UTF-8 || zeros: every name has the same size. */
function padName(name: string): Bytes {
  const padded: Bytes = new Uint8Array(paddedNameBytes)
  const length = writeUtf8(name, padded.subarray(nameLengthBytes))
  if (length === undefined) throw new E2eeError('TOO_LONG', 'The file name is too long to seal.')
  new DataView(padded.buffer).setUint16(0, length)
  return padded
}

function readPaddedName(padded: Bytes): string {
  const end = padded.length === paddedNameBytes ? nameLengthBytes + new DataView(padded.buffer).getUint16(0) : Infinity
  const isZero = padded.subarray(end).every((byte) => byte === 0)
  if (end > padded.length || !isZero) throw new E2eeError('MALFORMED', 'This is not the padding of a file name.')
  return fromUtf8(padded.subarray(nameLengthBytes, end))
}

type FileOwnerSeal = Omit<OwnerSeal, 'purpose'>

/** Seals a file's name, padded to one size. Throws TOO_LONG above 766 bytes of UTF-8. */
export async function sealNameForOwner(seal: FileOwnerSeal, name: string): Promise<string> {
  return sealForOwner({ ...seal, purpose: 'file-name' }, padName(name))
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export async function openNameForOwner(seal: FileOwnerSeal, sealed: string): Promise<string> {
  return readPaddedName(await openForOwner({ ...seal, purpose: 'file-name' }, sealed))
}
