import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_MLKEM768_X25519 } from 'hpke'
import type { Bytes } from '../encoding/bytes.ts'
import type * as XWing from './xwing.ts'

// Loaded by hpke.ts with the first key: no screen needs it to be shown.

/** The part of WebCrypto that browsers with X-Wing have and TypeScript does not know. */
export interface SubtleWithXWing extends SubtleCrypto {
  getPublicKey?(privateKey: unknown, usages: string[]): Promise<CryptoKey>
}

export interface KeyAgreement {
  suite: CipherSuite
  /** The public key of a private key. */
  publicKeyOf(seed: Bytes): Promise<Uint8Array>
}

export function createNative(): KeyAgreement {
  const suite = new CipherSuite(KEM_MLKEM768_X25519, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
  const subtle = crypto.subtle as Required<SubtleWithXWing>
  return {
    suite,
    async publicKeyOf(seed) {
      const publicKey = await subtle.getPublicKey(await suite.DeserializePrivateKey(seed, true), ['encapsulateBits'])
      return suite.SerializePublicKey(publicKey)
    },
  }
}

/** X-Wing in JavaScript. */
export const createWithXWing = ({ xwingKem, xwingPublicKey }: typeof XWing): KeyAgreement => ({
  suite: new CipherSuite(xwingKem, KDF_HKDF_SHA256, AEAD_AES_256_GCM),
  publicKeyOf: async (seed) => xwingPublicKey(seed),
})
