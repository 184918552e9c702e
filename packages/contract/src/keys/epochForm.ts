import { type Decode, encode, idBytes, integerBytes } from './canonicalForm.ts'
import type { EpochKey } from './keys.ts'

/**
 * The bytes of an epoch that its identity key signs, and those that the next epoch's `previousHash`
 * is the SHA-256 of (docs/protocol.md), so that the server can refuse an epoch no browser would believe.
 */
export type UnsignedEpoch = Omit<EpochKey, 'signature'>

/** The bytes that an epoch's signature covers. */
export function signedEpochBytes(identityKey: string, epoch: UnsignedEpoch, decode: Decode): Uint8Array<ArrayBuffer> {
  return encode('epoch', [
    idBytes(epoch.userId),
    decode(identityKey),
    integerBytes(epoch.n, 4),
    decode(epoch.publicKey),
    integerBytes(epoch.createdAt, 8),
    decode(epoch.previousHash),
  ])
}

/** The bytes whose SHA-256 is the next epoch's `previousHash`. */
export function hashedEpochBytes(identityKey: string, epoch: EpochKey, decode: Decode): Uint8Array<ArrayBuffer> {
  return encode('epoch-hash', [signedEpochBytes(identityKey, epoch, decode), decode(epoch.signature)])
}
