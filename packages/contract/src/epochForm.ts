import type { EpochKey } from './keys.ts'

/**
 * The bytes of an epoch that its identity key signs, and those that the next epoch's `previousHash`
 * is the SHA-256 of, so that the server can refuse an epoch no browser would believe. Layout
 * (docs/protocol.md): label length, label, version, then each field with its length as 4 bytes
 * big-endian before it.
 */
const version = 1

export type UnsignedEpoch = Omit<EpochKey, 'signature'>

/** What the caller makes of base64url texts; it refuses any that is not the one text of its bytes. */
export type Decode = (text: string) => Uint8Array

function encode(label: string, fields: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const ascii = new TextEncoder().encode(`privity/${label}`)
  const size = fields.reduce((sum, field) => sum + 4 + field.length, ascii.length + 2)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  bytes[0] = ascii.length
  bytes.set(ascii, 1)
  bytes[ascii.length + 1] = version
  let at = ascii.length + 2
  for (const field of fields) {
    view.setUint32(at, field.length)
    bytes.set(field, at + 4)
    at += 4 + field.length
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

/** What the signature of an epoch is over. */
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

/** What the `previousHash` of the epoch after this one is the SHA-256 of. */
export function hashedEpochBytes(identityKey: string, epoch: EpochKey, decode: Decode): Uint8Array<ArrayBuffer> {
  return encode('epoch-hash', [signedEpochBytes(identityKey, epoch, decode), decode(epoch.signature)])
}
