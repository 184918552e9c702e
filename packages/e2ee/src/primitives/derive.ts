import type { Bytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'

const parameters = (info: Bytes) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info })

/** The `info` of every derivation: a label, its version, and what the derived key is bound to. */
export function deriveInfo(label: string, ...bindings: readonly Uint8Array[]): Bytes {
  return encode(label, bindings)
}

export function importSecret(secret: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits', 'deriveKey'])
}

/** 32 bytes of HKDF-SHA-256 with an empty salt. */
export async function deriveBytes(secret: CryptoKey, info: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.deriveBits(parameters(info), secret, 256))
}

/** The same key that `deriveSealingKey` gives, from its 32 bytes as `deriveBytes` gives them. */
export const importSealingKey = (bytes: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** A non-extractable AES-256-GCM key by HKDF-SHA-256 with an empty salt. */
export function deriveSealingKey(secret: CryptoKey, info: Bytes): Promise<CryptoKey> {
  return crypto.subtle.deriveKey(parameters(info), secret, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
}
