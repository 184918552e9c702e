import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushSubscription } from '@privity/contract/push'

/** Chosen by a test only; otherwise new for each push. */
interface EncryptionOptions {
  /** 32 bytes */
  privateKey?: Uint8Array
  /** 16 bytes */
  salt?: Uint8Array
}

const curve = 'prime256v1'
const recordSize = 4096
const [tagBytes, delimiterBytes] = [16, 1]

const fromBase64url = (text: string): Buffer => Buffer.from(text, 'base64url')
const hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** Whether a public key is a point of P-256, uncompressed, as the encryption needs it. */
export function isPoint(p256dh: string): boolean {
  try {
    const pair = createECDH(curve)
    pair.generateKeys()
    pair.computeSecret(fromBase64url(p256dh))
    return fromBase64url(p256dh)[0] === 4
  } catch {
    return false
  }
}

/**
 * Encrypts a push for the browser of this subscription: aes128gcm in one record (RFC 8188) under a key that only the
 * browser can derive (RFC 8291). Pads the text to `paddedBytes`, so that every push has the same size.
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>,
  paddedBytes: number,
  { privateKey, salt = randomBytes(16) }: EncryptionOptions = {},
): Buffer {
  const plain = Buffer.from(text)
  if (plain.length > paddedBytes || paddedBytes > recordSize - tagBytes - delimiterBytes)
    throw new Error('the text of a push is longer than its padding')
  const own = createECDH(curve)
  if (privateKey === undefined) own.generateKeys()
  else own.setPrivateKey(privateKey)
  const [browserKey, ownKey] = [fromBase64url(p256dh), own.getPublicKey()]
  const shared = own.computeSecret(browserKey)
  const key = hkdf(shared, fromBase64url(auth), Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey]), 32)
  const nonce = hkdf(key, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', hkdf(key, salt, 'Content-Encoding: aes128gcm\0', 16), nonce)
  // 2 ends the text of the last record; zeros follow.
  const record = Buffer.concat([plain, Buffer.from([2]), Buffer.alloc(paddedBytes - plain.length)])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  const header = Buffer.concat([salt, size, Buffer.from([ownKey.length]), ownKey])
  return Buffer.concat([header, cipher.update(record), cipher.final(), cipher.getAuthTag()])
}
