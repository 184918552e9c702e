import { fromBase64url } from '../encoding/base64url.ts'
import { type Bytes, randomBytes } from '../encoding/bytes.ts'
import { decode, encodeText } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'

export const ivBytes = 12
export const tagBytes = 16

export async function encrypt(key: CryptoKey, iv: Bytes, additionalData: Bytes, plain: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plain))
}

/** Throws AUTHENTICATION_FAILED. */
export async function decrypt(key: CryptoKey, iv: Bytes, additionalData: Bytes, sealed: Bytes): Promise<Bytes> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed))
  } catch (cause) {
    throw new E2eeError('AUTHENTICATION_FAILED', 'The sealed bytes do not open with this key and binding.', { cause })
  }
}

export function importSealingKey(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Seals private data at rest: base64url of {iv, ciphertext}, AES-256-GCM under a fresh random IV. */
export async function sealText(key: CryptoKey, binding: Bytes, plain: Bytes): Promise<string> {
  const iv = randomBytes(ivBytes)
  return encodeText('sealed', [iv, await encrypt(key, iv, binding, plain)])
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export async function openText(key: CryptoKey, binding: Bytes, sealed: string): Promise<Bytes> {
  const [iv, ciphertext] = decode('sealed', fromBase64url(sealed), [ivBytes, undefined]) as [Bytes, Bytes]
  return decrypt(key, iv, binding, ciphertext)
}
